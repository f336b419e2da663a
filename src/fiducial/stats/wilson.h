#pragma once

#include <cstdint>
#include <span>

#include "fiducial/stats/bootstrap.h"

namespace fiducial {

// The 95 % score interval of a share (E. B. Wilson, 1927). n > 0.
Interval wilson95(std::int64_t successes, std::int64_t n);

// Items of one cluster, such as a report, and how many of them are hits.
struct ClusterCount {
  std::int64_t hits = 0;
  std::int64_t items = 0;
};

// The same where items of one cluster resemble each other: by as many independent items as would vary as much
// (E. L. Korn and B. I. Graubard, 1998). Never narrower than that of independent items. There are items.
Interval clustered_share95(std::span<const ClusterCount> clusters);

}  // namespace fiducial
