#pragma once

#include <optional>
#include <span>
#include <vector>

#include "fiducial/stats/bootstrap.h"

namespace fiducial {

// The same clusters (patients) measured for two systems: `width` sums for each cluster, row by row.
struct PairedSums {
  std::span<const double> a;
  std::span<const double> b;
  std::size_t width = 0;

  std::size_t clusters() const { return width == 0 ? 0 : a.size() / width; }
};

// The interval, unless its ends are one number but for rounding: then every value was equal, and it says
// nothing.
std::optional<Interval> with_width(const std::optional<Interval>& interval);

// The sum over all clusters, column by column.
std::vector<double> summed(std::span<const double> sums, std::size_t width);

// The statistic of a minus that of b; nothing where either has no value.
std::optional<double> paired_difference(const PairedSums& pair, const ClusterBootstrap::Statistic& statistic);

// Percentile interval of the difference: every resample draws the same clusters for both systems.
std::optional<Interval> paired_interval95(const PairedSums& pair,
                                          const ClusterBootstrap::Statistic& statistic,
                                          const ClusterBootstrap& bootstrap);

}  // namespace fiducial
