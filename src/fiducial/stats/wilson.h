#pragma once

#include <cstdint>

#include "fiducial/stats/bootstrap.h"

namespace fiducial {

// The 95 % score interval of a share (E. B. Wilson, 1927). n > 0.
Interval wilson95(std::int64_t successes, std::int64_t n);

}  // namespace fiducial
