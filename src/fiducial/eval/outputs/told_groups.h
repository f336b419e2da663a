#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "fiducial/eval/run/statistic.h"

namespace fiducial {

// A group of units that may be told, and the kind it is of.
struct OfferedGroup {
  std::size_t kind = 0;
  const std::vector<std::uint32_t>* members = nullptr;  // ascending
};

// Which groups of units may be told beside the whole, so that no sum over the units of fewer than `min_group`
// patients follows from those that are told: neither as one of them nor by adding and subtracting them,
// within one kind of groups or across kinds.
//
// Larger groups come first. A group is told if nothing small is left of it, or of what is told already, once
// the told groups of any one kind are taken away; and if no small sum shows when all told sums are eliminated
// against each other, where units that lie in the same told groups count as one. Returns a flag for each
// group.
std::vector<bool> told_groups(const PooledUnits& units, const std::vector<OfferedGroup>& groups,
                              int min_group);

}  // namespace fiducial
