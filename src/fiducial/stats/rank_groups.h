#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <span>
#include <vector>

namespace fiducial {

// P-values corrected for testing all of them at once (Holm, 1979), each at its place.
std::vector<double> holm_adjusted(std::span<const double> p);

// Groups of systems, best first, that cannot be told from the first of their group.
//
// differs(leader, other) says whether the two can be told apart. Systems are given best first; the result is
// the number of each one's group, from 0.
std::vector<std::size_t> tie_groups(
    std::size_t systems, const std::function<bool(std::size_t leader, std::size_t other)>& differs);

// The rank of each value from 1, equal values sharing the better one; those without a value come last.
std::vector<std::size_t> ranks(std::span<const std::optional<double>> values, bool higher_is_better);

}  // namespace fiducial
