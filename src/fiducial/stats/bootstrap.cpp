#include "fiducial/stats/bootstrap.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "fiducial/base/error.h"
#include "fiducial/base/random.h"

namespace fiducial {

ClusterBootstrap::ClusterBootstrap(std::size_t clusters, int resamples, std::uint64_t seed)
    : clusters_(clusters), resamples_(clusters < 2 ? 0 : static_cast<std::size_t>(resamples)) {
  weights_.resize((resamples_ + lanes - 1) / lanes * lanes * clusters_);
  Random random(seed, "bootstrap");
  std::vector<std::uint32_t> draws(clusters_);
  for (std::size_t r = 0; r < resamples_; ++r) {
    random.fill_below(static_cast<std::uint32_t>(clusters_), draws);
    std::uint8_t* weights = weights_.data() + r / lanes * lanes * clusters_ + r % lanes;
    for (const std::uint32_t cluster : draws) {
      std::uint8_t& weight = weights[cluster * lanes];
      weight = static_cast<std::uint8_t>(weight + (weight < 255 ? 1 : 0));
    }
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

// Counts of `lanes` resamples at once: small ones are added up often, large ones rarely.
template <std::size_t lanes>
class LaneCounts {
 public:
  void add(const std::uint8_t* drawn) {
    for (std::size_t lane = 0; lane < lanes; ++lane) {
      small_[lane] = static_cast<std::uint16_t>(small_[lane] + drawn[lane]);
    }
    if (++pending_ == 257) flush();  // 257 times 255 still fits 16 bits
  }

  const std::array<std::uint64_t, lanes>& counts() {
    flush();
    return large_;
  }

 private:
  void flush() {
    for (std::size_t lane = 0; lane < lanes; ++lane) large_[lane] += small_[lane];
    small_.fill(0);
    pending_ = 0;
  }

  std::array<std::uint16_t, lanes> small_{};
  std::array<std::uint64_t, lanes> large_{};
  int pending_ = 0;
};

}  // namespace

std::vector<double> ClusterBootstrap::totals(std::span<const std::size_t> members,
                                             std::span<const double> values) const {
  FIDUCIAL_ASSERT(values.size() == members.size());
  std::vector<std::size_t> chosen;  // a value of 0 adds nothing
  bool only_ones = true;
  for (std::size_t m = 0; m < members.size(); ++m) {
    if (values[m] == 0) continue;
    chosen.push_back(m);
    only_ones = only_ones && values[m] == 1;
  }
  std::vector<double> out(weights_.empty() ? 0 : weights_.size() / clusters_);
  for (std::size_t block = 0; block * lanes < out.size(); ++block) {
    double* totals = out.data() + block * lanes;
    if (only_ones) {
      LaneCounts<lanes> counts;
      for (const std::size_t m : chosen) counts.add(drawn(block, members[m]));
      for (std::size_t lane = 0; lane < lanes; ++lane)
        totals[lane] = static_cast<double>(counts.counts()[lane]);
      continue;
    }
    for (const std::size_t m : chosen) {
      const std::uint8_t* weights = drawn(block, members[m]);
      const double value = values[m];
      for (std::size_t lane = 0; lane < lanes; ++lane) totals[lane] += weights[lane] * value;
    }
  }
  out.resize(resamples_);
  return out;
}

std::optional<Interval> ClusterBootstrap::interval95(std::span<const double> sums, std::size_t width,
                                                     const Statistic& statistic) const {
  std::vector<std::size_t> members;  // those that add something
  std::vector<double> kept;
  for (std::size_t cluster = 0; cluster < clusters_; ++cluster) {
    const auto row = sums.subspan(cluster * width, width);
    if (std::all_of(row.begin(), row.end(), [](double sum) { return sum == 0; })) continue;
    members.push_back(cluster);
    kept.insert(kept.end(), row.begin(), row.end());
  }
  return interval95_of(members, kept, width, statistic);
}

std::optional<Interval> ClusterBootstrap::interval95_of(std::span<const std::size_t> members,
                                                        std::span<const double> sums, std::size_t width,
                                                        const Statistic& statistic) const {
  FIDUCIAL_ASSERT(sums.size() == members.size() * width);
  if (contributing(sums, width) < 2) return std::nullopt;
  std::vector<std::vector<double>> columns;
  std::vector<double> column(members.size());
  for (std::size_t k = 0; k < width; ++k) {
    for (std::size_t m = 0; m < members.size(); ++m) column[m] = sums[m * width + k];
    columns.push_back(totals(members, column));
  }
  std::vector<double> values;
  values.reserve(resamples_);
  std::vector<double> total(width);
  for (std::size_t r = 0; r < resamples_; ++r) {
    for (std::size_t k = 0; k < width; ++k) total[k] = columns[k][r];
    if (const auto value = statistic(total)) values.push_back(*value);
  }
  if (values.empty() || 2 * values.size() < resamples_) return std::nullopt;
  return central95(values);
}

std::optional<Interval> ratio_interval95(std::span<const double> numerators,
                                         std::span<const double> denominators) {
  FIDUCIAL_ASSERT(numerators.size() == denominators.size());
  std::vector<double> values;
  values.reserve(numerators.size());
  for (std::size_t r = 0; r < numerators.size(); ++r) {
    if (denominators[r] > 0) values.push_back(numerators[r] / denominators[r]);
  }
  if (values.empty() || 2 * values.size() < numerators.size()) return std::nullopt;
  return central95(values);
}

double percentile(std::span<const double> sorted, double share) {
  FIDUCIAL_ASSERT(!sorted.empty());
  const double place = share * static_cast<double>(sorted.size() - 1);
  const auto below = static_cast<std::size_t>(std::floor(place));
  const std::size_t above = std::min(below + 1, sorted.size() - 1);
  return sorted[below] + (sorted[above] - sorted[below]) * (place - static_cast<double>(below));
}

namespace {

// Values sorted roughly: how many fall into each of many bins of equal width.
class Binned {
 public:
  explicit Binned(std::span<const double> values) : values_(values) {
    const auto [least, greatest] = std::minmax_element(values.begin(), values.end());
    least_ = *least;
    const double range = *greatest - *least;
    const bool is_ordinary = range > 1e-300 && range < 1e300;  // else all are in one bin
    scale_ = is_ordinary ? (static_cast<double>(bins) - 0.5) / range : 0;
    for (const double value : values) ++counts_[bin(value)];
  }

  // The value at a place of the sorted order, and the next.
  std::pair<double, double> at(std::size_t place) const {
    const std::size_t next = std::min(place + 1, values_.size() - 1);
    std::size_t before = 0;
    std::size_t first = 0;
    while (before + counts_[first] <= place) before += counts_[first++];
    std::size_t last = first;
    for (std::size_t until = before + counts_[first]; until <= next;) until += counts_[++last];
    std::vector<double> near;
    for (const double value : values_) {
      const std::size_t at = bin(value);
      if (at >= first && at <= last) near.push_back(value);
    }
    const auto here = near.begin() + static_cast<std::ptrdiff_t>(place - before);
    std::nth_element(near.begin(), here, near.end());
    return {*here, next == place ? *here : *std::min_element(here + 1, near.end())};
  }

 private:
  static constexpr std::size_t bins = 1024;
  std::size_t bin(double value) const { return static_cast<std::size_t>((value - least_) * scale_); }

  std::span<const double> values_;
  double least_ = 0;
  double scale_ = 0;
  std::array<std::uint32_t, bins> counts_{};
};

}  // namespace

Interval central95(std::span<const double> values) {
  FIDUCIAL_ASSERT(!values.empty());
  const Binned binned(values);
  const auto quantile = [&](double share) {
    const double place = share * static_cast<double>(values.size() - 1);
    const auto below = static_cast<std::size_t>(std::floor(place));
    const auto [low, high] = binned.at(below);
    return low + (high - low) * (place - static_cast<double>(below));
  };
  return {quantile(0.025), quantile(0.975)};
}

}  // namespace fiducial
