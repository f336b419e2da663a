#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <vector>

namespace fiducial {

struct Interval {
  double low = 0;
  double high = 0;
};

// Percentile intervals from resampling whole clusters (patients) with replacement.
//
// The draws are made once from the seed and shared by all statistics, so that intervals of one run belong
// together. A statistic is a function of sums over clusters: means, shares and F1 all are.
class ClusterBootstrap {
 public:
  ClusterBootstrap(std::size_t clusters, int resamples, std::uint64_t seed);

  // sums holds `width` values for each cluster, row by row. Resamples on which the statistic has no value are
  // left out; without two clusters, or when most resamples have none, there is no interval.
  using Statistic = std::function<std::optional<double>(std::span<const double> sums)>;
  std::optional<Interval> interval95(std::span<const double> sums, std::size_t width,
                                     const Statistic& statistic) const;
  // The same for a statistic of a few clusters: sums holds `width` values for each member, in their order.
  std::optional<Interval> interval95_of(std::span<const std::size_t> members, std::span<const double> sums,
                                        std::size_t width, const Statistic& statistic) const;

 private:
  std::size_t clusters_;
  std::size_t resamples_;
  std::vector<std::uint16_t> weights_;  // how often each cluster was drawn, resample by resample
};

// The value below which a share of the sorted values lies, linear between neighbours (as NumPy's default).
double percentile(std::span<const double> sorted, double share);

}  // namespace fiducial
