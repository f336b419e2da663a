#include "fiducial/stats/wilson.h"

#include <algorithm>
#include <cmath>

#include "fiducial/base/error.h"

namespace fiducial {

namespace {

Interval score_interval(double share, double count) {
  constexpr double z = 1.959963984540054;  // the 97.5 % quantile of the normal distribution
  const double scale = 1 + z * z / count;
  const double centre = (share + z * z / (2 * count)) / scale;
  const double half = z * std::sqrt(share * (1 - share) / count + z * z / (4 * count * count)) / scale;
  // At the ends the exact limit is 0 or 1; rounding must not leave the range.
  return {share == 0 ? 0 : std::max(0.0, centre - half), share == 1 ? 1 : std::min(1.0, centre + half)};
}

}  // namespace

Interval wilson95(std::int64_t successes, std::int64_t n) {
  FIDUCIAL_ASSERT(n > 0 && successes >= 0 && successes <= n);
  const auto count = static_cast<double>(n);
  return score_interval(static_cast<double>(successes) / count, count);
}

Interval clustered_share95(std::span<const ClusterCount> clusters) {
  std::int64_t hits = 0;
  std::int64_t items = 0;
  for (const ClusterCount& cluster : clusters) {
    hits += cluster.hits;
    items += cluster.items;
  }
  FIDUCIAL_ASSERT(items > 0 && hits >= 0 && hits <= items);
  if (clusters.size() < 2 || hits == 0 || hits == items) return wilson95(hits, items);
  const auto count = static_cast<double>(items);
  const double share = static_cast<double>(hits) / count;
  double squares = 0;
  for (const ClusterCount& cluster : clusters) {
    const double beyond = static_cast<double>(cluster.hits) - share * static_cast<double>(cluster.items);
    squares += beyond * beyond;
  }
  const auto size = static_cast<double>(clusters.size());
  const double variance = size / (size - 1) * squares / (count * count);
  const double of_independent = share * (1 - share) / count;
  return score_interval(share, count / std::max(1.0, variance / of_independent));
}

}  // namespace fiducial
