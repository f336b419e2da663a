#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "fiducial/base/executor.h"

namespace fiducial {

struct Interval {
  double low = 0;
  double high = 0;
};

// The least number of clusters that an interval is stated of. Of fewer, its ends are little more than what
// single clusters give: of two or three they are the least and the greatest, whatever lies beyond.
inline constexpr std::int64_t least_resampled = 5;

// How often the members of several sets of clusters were drawn, in every resample.
struct DrawnCounts {
  std::size_t resamples = 0;
  std::vector<std::uint32_t> counts;  // set by set

  std::span<const std::uint32_t> of(std::size_t set) const {
    return std::span(counts).subspan(set * resamples, resamples);
  }
};

// Percentile intervals from resampling whole clusters (patients) with replacement.
//
// The draws are made once from the seed and shared by all statistics, so that intervals of one run belong
// together. A statistic is a function of sums over clusters: means, shares and F1 all are.
class ClusterBootstrap {
 public:
  ClusterBootstrap(std::size_t clusters, int resamples, std::uint64_t seed);

  std::size_t resamples() const { return resamples_; }  // none without two clusters

  // sums holds `width` values for each cluster, row by row. Resamples on which the statistic has no value are
  // left out; without two clusters, or when most resamples have none, there is no interval.
  using Statistic = std::function<std::optional<double>(std::span<const double> sums)>;
  std::optional<Interval> interval95(std::span<const double> sums, std::size_t width,
                                     const Statistic& statistic) const;
  // The same for a statistic of a few clusters: sums holds `width` values for each member, in their order.
  std::optional<Interval> interval95_of(std::span<const std::size_t> members, std::span<const double> sums,
                                        std::size_t width, const Statistic& statistic) const;

  // What interval95_of gives the statistic, for several statistics of the same sums: the totals of each of
  // the `width` values in every resample, and the interval from them. There are none without two members that
  // have something to say.
  using Totals = std::vector<std::vector<double>>;
  Totals totals_of(std::span<const std::size_t> members, std::span<const double> sums,
                   std::size_t width) const;
  std::optional<Interval> interval95_from(const Totals& totals, const Statistic& statistic) const;

  // The sum of one value a member in every resample, each value as often as its cluster was drawn; added up
  // in the order of the members.
  std::vector<double> totals(std::span<const std::size_t> members, std::span<const double> values) const;

  // How often the members of each set were drawn, in every resample: what totals gives for values of 1. For
  // many sets at once, as each draw is fetched once for all of them. Takes the memory of earlier counts that
  // are not needed any more. Fails only when the call is given up.
  Result<DrawnCounts> drawn_counts(std::span<const std::vector<std::size_t>> sets, const Executor& executor,
                                   DrawnCounts reused = {}) const;

 private:
  static constexpr std::size_t lanes = 64;

  const std::uint8_t* drawn(std::size_t block, std::size_t cluster) const {
    return weights_.data() + (block * clusters_ + cluster) * lanes;
  }

  Totals added_up(std::span<const std::size_t> members, std::span<const double> sums,
                  std::size_t width) const;

  // So many weights of one resample add up to a byte.
  std::size_t rows_a_byte() const { return 255 / greatest_weight_; }

  std::size_t clusters_;
  std::size_t resamples_;
  // How often each cluster was drawn: in blocks of `lanes` resamples, those of one cluster beside each other.
  // A cluster that were drawn more than 255 times in one resample would count 255 times; below 2^-1600.
  std::vector<std::uint8_t> weights_;
  std::uint8_t greatest_weight_ = 1;
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
