#include "fiducial/stats/bootstrap.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <utility>

#ifdef __x86_64__
#include <immintrin.h>
#endif

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
  for (const std::uint8_t weight : weights_) greatest_weight_ = std::max(greatest_weight_, weight);
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

// The weights of one cluster in a block of resamples.
using LaneRow = std::uint8_t __attribute__((vector_size(64)));

// Adds up the draws of one set in one block of resamples. Small sums are bytes: as many rows as surely fit.
void add_drawn(const std::uint8_t* block, std::span<const std::size_t> members, std::size_t rows_a_byte,
               std::uint32_t* counts) {
  constexpr std::size_t lanes = sizeof(LaneRow);
  for (std::size_t begin = 0; begin < members.size(); begin += rows_a_byte) {
    LaneRow sums{};
    for (const std::size_t member : members.subspan(begin, std::min(rows_a_byte, members.size() - begin))) {
      LaneRow row;
      std::memcpy(&row, block + member * lanes, lanes);
      sums += row;
    }
    for (std::size_t lane = 0; lane < lanes; ++lane) counts[lane] += sums[lane];
  }
}

// Values of clusters that are added up in this order, each as often as its cluster was drawn.
struct WeighedValues {
  std::vector<std::size_t> clusters;
  std::vector<double> values;
};

void add_weighed_one_by_one(const std::uint8_t* block, const WeighedValues& of, double* totals) {
  constexpr std::size_t lanes = sizeof(LaneRow);
  for (std::size_t k = 0; k < of.values.size(); ++k) {
    const std::uint8_t* weights = block + of.clusters[k] * lanes;
    const double value = of.values[k];
    for (std::size_t lane = 0; lane < lanes; ++lane) totals[lane] += weights[lane] * value;
  }
}

#ifdef __x86_64__
// The same products and sums; those of half a block of resamples stay in registers.
__attribute__((target("avx2"))) void add_weighed_avx2(const std::uint8_t* block, const WeighedValues& of,
                                                      double* totals) {
  constexpr std::size_t lanes = sizeof(LaneRow);
  constexpr std::size_t together = 8;  // vectors of four
  for (std::size_t first = 0; first < lanes; first += 4 * together) {
    __m256d sums[together];
    for (std::size_t i = 0; i < together; ++i) sums[i] = _mm256_loadu_pd(totals + first + 4 * i);
    for (std::size_t k = 0; k < of.values.size(); ++k) {
      const std::uint8_t* weights = block + of.clusters[k] * lanes + first;
      const __m256d value = _mm256_set1_pd(of.values[k]);
      for (std::size_t i = 0; i < together; ++i) {
        const __m256d drawn = _mm256_cvtepi32_pd(_mm_cvtepu8_epi32(_mm_loadu_si32(weights + 4 * i)));
        sums[i] = _mm256_add_pd(sums[i], _mm256_mul_pd(drawn, value));
      }
    }
    for (std::size_t i = 0; i < together; ++i) _mm256_storeu_pd(totals + first + 4 * i, sums[i]);
  }
}

const auto add_weighed = __builtin_cpu_supports("avx2") != 0 ? add_weighed_avx2 : add_weighed_one_by_one;
#else
const auto add_weighed = add_weighed_one_by_one;
#endif

}  // namespace

Result<DrawnCounts> ClusterBootstrap::drawn_counts(std::span<const std::vector<std::size_t>> sets,
                                                   const Executor& executor, DrawnCounts reused) const {
  static_assert(lanes == sizeof(LaneRow));
  DrawnCounts out = std::move(reused);
  out.resamples = resamples_;
  out.counts.resize(sets.size() * resamples_);
  const auto blocks = static_cast<std::int64_t>((resamples_ + lanes - 1) / lanes);
  FIDUCIAL_TRY_DONE(executor.for_each(blocks, [&](std::int64_t at) -> Outcome {
    const auto block = static_cast<std::size_t>(at);
    const std::size_t width = std::min(lanes, resamples_ - block * lanes);
    for (std::size_t set = 0; set < sets.size(); ++set) {
      std::array<std::uint32_t, lanes> counts{};
      add_drawn(drawn(block, 0), sets[set], rows_a_byte(), counts.data());
      std::copy_n(counts.data(), width, out.counts.data() + set * resamples_ + block * lanes);
    }
    return done();
  }));
  return out;
}

// Block by block for all columns, as each draw is fetched once for all of them.
ClusterBootstrap::Totals ClusterBootstrap::added_up(std::span<const std::size_t> members,
                                                    std::span<const double> sums, std::size_t width) const {
  FIDUCIAL_ASSERT(sums.size() == members.size() * width);
  std::vector<WeighedValues> columns(width);
  for (std::size_t i = 0; i < sums.size(); ++i) {
    if (sums[i] == 0) continue;  // adds nothing
    columns[i % width].clusters.push_back(members[i / width]);
    columns[i % width].values.push_back(sums[i]);
  }
  std::vector<bool> only_ones;
  only_ones.reserve(width);
  for (const WeighedValues& column : columns) {
    only_ones.push_back(
        std::all_of(column.values.begin(), column.values.end(), [](double v) { return v == 1; }));
  }
  Totals out(width, std::vector<double>((resamples_ + lanes - 1) / lanes * lanes));
  for (std::size_t block = 0; block * lanes < resamples_; ++block) {
    for (std::size_t k = 0; k < width; ++k) {
      double* totals = out[k].data() + block * lanes;
      if (only_ones[k]) {
        std::array<std::uint32_t, lanes> counts{};
        add_drawn(drawn(block, 0), columns[k].clusters, rows_a_byte(), counts.data());
        std::copy(counts.begin(), counts.end(), totals);
      } else {
        add_weighed(drawn(block, 0), columns[k], totals);
      }
    }
  }
  for (std::vector<double>& column : out) column.resize(resamples_);
  return out;
}

std::vector<double> ClusterBootstrap::totals(std::span<const std::size_t> members,
                                             std::span<const double> values) const {
  return std::move(added_up(members, values, 1).front());
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
  return interval95_from(totals_of(members, sums, width), statistic);
}

ClusterBootstrap::Totals ClusterBootstrap::totals_of(std::span<const std::size_t> members,
                                                     std::span<const double> sums, std::size_t width) const {
  if (contributing(sums, width) < 2) return {};
  return added_up(members, sums, width);
}

std::optional<Interval> ClusterBootstrap::interval95_from(const Totals& totals,
                                                          const Statistic& statistic) const {
  if (totals.empty()) return std::nullopt;
  std::vector<double> values;
  values.reserve(resamples_);
  std::vector<double> total(totals.size());
  for (std::size_t r = 0; r < resamples_; ++r) {
    for (std::size_t k = 0; k < total.size(); ++k) total[k] = totals[k][r];
    if (const auto value = statistic(total)) values.push_back(*value);
  }
  if (values.empty() || 2 * values.size() < resamples_) return std::nullopt;
  return central95(values);
}

std::optional<Interval> ratio_interval95(std::span<const double> numerators,
                                         std::span<const double> denominators) {
  FIDUCIAL_ASSERT(numerators.size() == denominators.size());
  std::vector<double> values(numerators.size());
  for (std::size_t r = 0; r < values.size(); ++r) values[r] = numerators[r] / denominators[r];
  if (std::any_of(denominators.begin(), denominators.end(), [](double n) { return !(n > 0); })) {
    std::size_t kept = 0;
    for (std::size_t r = 0; r < values.size(); ++r) {
      if (denominators[r] > 0) values[kept++] = values[r];
    }
    values.resize(kept);
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

// Values sorted roughly: into which of many bins of equal width each falls.
class Binned {
 public:
  explicit Binned(std::span<const double> values) : values_(values), bins_(values.size()) {
    double least = values[0];
    double greatest = values[0];
    for (const double value : values) {
      least = value < least ? value : least;
      greatest = value > greatest ? value : greatest;
    }
    const double range = greatest - least;
    const bool is_ordinary = range > 1e-300 && range < 1e300;  // else all are in one bin
    const double scale = is_ordinary ? (static_cast<double>(bins) - 0.5) / range : 0;
    for (std::size_t i = 0; i < values.size(); ++i)
      bins_[i] = static_cast<std::int32_t>((values[i] - least) * scale);
    for (const std::int32_t bin : bins_) ++counts_[static_cast<std::size_t>(bin)];
  }

  // The value at a place of the sorted order, and the next.
  std::pair<double, double> at(std::size_t place) const {
    const std::size_t next = std::min(place + 1, values_.size() - 1);
    std::size_t before = 0;
    std::size_t first = 0;
    while (before + counts_[first] <= place) before += counts_[first++];
    std::size_t last = first;
    for (std::size_t until = before + counts_[first]; until <= next;) until += counts_[++last];
    const auto low = static_cast<std::int32_t>(first);
    const auto width = static_cast<std::uint32_t>(last - first);
    std::vector<double> near;
    for (std::size_t i = 0; i < bins_.size(); ++i) {
      if (static_cast<std::uint32_t>(bins_[i] - low) <= width) near.push_back(values_[i]);
    }
    const auto here = near.begin() + static_cast<std::ptrdiff_t>(place - before);
    std::nth_element(near.begin(), here, near.end());
    return {*here, next == place ? *here : *std::min_element(here + 1, near.end())};
  }

 private:
  static constexpr std::size_t bins = 1024;

  std::span<const double> values_;
  std::vector<std::int32_t> bins_;  // of each value
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
