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

  // The sum of one value a member in every resample, each value as often as its cluster was drawn; added up
  // in the order of the members.
  std::vector<double> totals(std::span<const std::size_t> members, std::span<const double> values) const;

 private:
  static constexpr std::size_t lanes = 64;

  const std::uint8_t* drawn(std::size_t block, std::size_t cluster) const {
    return weights_.data() + (block * clusters_ + cluster) * lanes;
  }

  std::size_t clusters_;
  std::size_t resamples_;
  // How often each cluster was drawn: in blocks of `lanes` resamples, those of one cluster beside each other.
  // A cluster that were drawn more than 255 times in one resample would count 255 times; below 2^-1600.
  std::vector<std::uint8_t> weights_;
};

// The interval of a ratio of two sums, from both in every resample (ClusterBootstrap::totals). Resamples
// where the denominator is 0 are left out; nothing where those are most.
std::optional<Interval> ratio_interval95(std::span<const double> numerators,
                                         std::span<const double> denominators);

// The value below which a share of the sorted values lies, linear between neighbours (as NumPy's default).
double percentile(std::span<const double> sorted, double share);

// percentile(2.5 %) and percentile(97.5 %) of values in any order, without sorting them all.
Interval central95(std::span<const double> values);

}  // namespace fiducial
