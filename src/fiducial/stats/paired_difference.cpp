#include "fiducial/stats/paired_difference.h"

#include <algorithm>
#include <cmath>

#include "fiducial/base/error.h"

namespace fiducial {

std::optional<Interval> with_width(const std::optional<Interval>& interval) {
  constexpr double rounding = 1e-12;
  if (!interval) return std::nullopt;
  const double scale = std::max({1.0, std::abs(interval->low), std::abs(interval->high)});
  return interval->high - interval->low > rounding * scale ? interval : std::nullopt;
}

std::vector<double> summed(std::span<const double> sums, std::size_t width) {
  std::vector<double> out(width);
  for (std::size_t i = 0; i < sums.size(); ++i) out[i % width] += sums[i];
  return out;
}

std::optional<double> paired_difference(const PairedSums& pair,
                                        const ClusterBootstrap::Statistic& statistic) {
  const auto a = statistic(summed(pair.a, pair.width));
  const auto b = statistic(summed(pair.b, pair.width));
  if (!a || !b) return std::nullopt;
  return *a - *b;
}

std::optional<Interval> paired_interval95(const PairedSums& pair,
                                          const ClusterBootstrap::Statistic& statistic,
                                          const ClusterBootstrap& bootstrap) {
  FIDUCIAL_ASSERT(pair.a.size() == pair.b.size());
  const std::size_t width = pair.width;
  std::vector<double> both(2 * pair.a.size());
  for (std::size_t c = 0; c < pair.clusters(); ++c) {
    std::copy_n(pair.a.data() + c * width, width, both.data() + 2 * c * width);
    std::copy_n(pair.b.data() + c * width, width, both.data() + (2 * c + 1) * width);
  }
  const auto difference = [&](std::span<const double> sums) -> std::optional<double> {
    const auto a = statistic(sums.first(width));
    const auto b = statistic(sums.last(width));
    if (!a || !b) return std::nullopt;
    return *a - *b;
  };
  return bootstrap.interval95(both, 2 * width, difference);
}

}  // namespace fiducial
