#include "fiducial/stats/bootstrap.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "fiducial/base/error.h"
#include "fiducial/base/random.h"

namespace fiducial {

ClusterBootstrap::ClusterBootstrap(std::size_t clusters, int resamples, std::uint64_t seed)
    : clusters_(clusters),
      resamples_(clusters < 2 ? 0 : static_cast<std::size_t>(resamples)),
      weights_(clusters_ * resamples_) {
  Random random(seed, "bootstrap");
  for (std::size_t r = 0; r < resamples_; ++r) {
    std::uint16_t* weights = weights_.data() + r * clusters_;
    for (std::size_t draw = 0; draw < clusters_; ++draw) ++weights[random.below(clusters_)];
  }
}

namespace {

// Clusters that have something to say: one alone is the same however often it is drawn.
std::size_t contributing(std::span<const double> sums, std::size_t width) {
  std::size_t count = 0;
  for (std::size_t first = 0; first < sums.size(); first += width) {
    const auto row = sums.subspan(first, width);
    if (std::any_of(row.begin(), row.end(), [](double sum) { return sum != 0; })) ++count;
  }
  return count;
}

}  // namespace

std::optional<Interval> ClusterBootstrap::interval95(std::span<const double> sums, std::size_t width,
                                                     const Statistic& statistic) const {
  std::vector<std::size_t> everyone(clusters_);
  std::iota(everyone.begin(), everyone.end(), std::size_t{0});
  return interval95_of(everyone, sums, width, statistic);
}

std::optional<Interval> ClusterBootstrap::interval95_of(std::span<const std::size_t> members,
                                                        std::span<const double> sums, std::size_t width,
                                                        const Statistic& statistic) const {
  FIDUCIAL_ASSERT(sums.size() == members.size() * width);
  if (contributing(sums, width) < 2) return std::nullopt;
  std::vector<double> values;
  values.reserve(resamples_);
  std::vector<double> total(width);
  for (std::size_t r = 0; r < resamples_; ++r) {
    std::fill(total.begin(), total.end(), 0.0);
    const std::uint16_t* weights = weights_.data() + r * clusters_;
    for (std::size_t m = 0; m < members.size(); ++m) {
      const std::uint16_t weight = weights[members[m]];
      if (weight == 0) continue;
      for (std::size_t k = 0; k < width; ++k) total[k] += weight * sums[m * width + k];
    }
    if (const auto value = statistic(total)) values.push_back(*value);
  }
  if (values.empty() || 2 * values.size() < resamples_) return std::nullopt;
  std::sort(values.begin(), values.end());
  return Interval{percentile(values, 0.025), percentile(values, 0.975)};
}

double percentile(std::span<const double> sorted, double share) {
  FIDUCIAL_ASSERT(!sorted.empty());
  const double place = share * static_cast<double>(sorted.size() - 1);
  const auto below = static_cast<std::size_t>(std::floor(place));
  const std::size_t above = std::min(below + 1, sorted.size() - 1);
  return sorted[below] + (sorted[above] - sorted[below]) * (place - static_cast<double>(below));
}

}  // namespace fiducial
