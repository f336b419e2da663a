#include "fiducial/stats/agreement.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <map>
#include <utility>

#include "fiducial/base/random.h"

namespace fiducial {

namespace {

struct RatedPair {
  double first = 0;
  double second = 0;
  double times = 1;
};

// Items that the first two raters both rated.
std::vector<RatedPair> rated_pairs(const WeightedRatings& ratings) {
  std::vector<RatedPair> out;
  for (std::size_t i = 0; i < ratings.items.size(); ++i) {
    const auto& item = ratings.items[i];
    if (ratings.weights[i] == 0 || item.size() < 2 || !item[0] || !item[1]) continue;
    out.push_back({*item[0], *item[1], ratings.weights[i]});
  }
  return out;
}

double times_of(const std::vector<RatedPair>& pairs) {
  double out = 0;
  for (const RatedPair& pair : pairs) out += pair.times;
  return out;
}

// Items without gaps, when all have the same number of raters.
struct CompleteItems {
  std::vector<std::vector<double>> items;
  std::vector<double> times;
  double total = 0;
};

CompleteItems complete_items(const WeightedRatings& ratings) {
  CompleteItems out;
  for (std::size_t i = 0; i < ratings.items.size(); ++i) {
    const auto& item = ratings.items[i];
    const bool has_gap = std::any_of(item.begin(), item.end(), [](const auto& each) { return !each; });
    if (ratings.weights[i] == 0 || item.empty() || has_gap) continue;
    out.items.emplace_back();
    for (const auto& each : item) out.items.back().push_back(*each);
    out.times.push_back(ratings.weights[i]);
    out.total += ratings.weights[i];
  }
  return out;
}

std::vector<double> distinct_values(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  values.erase(std::unique(values.begin(), values.end()), values.end());
  return values;
}

std::size_t place_of(const std::vector<double>& sorted, double value) {
  return static_cast<std::size_t>(std::lower_bound(sorted.begin(), sorted.end(), value) - sorted.begin());
}

double as_double(std::size_t value) { return static_cast<double>(value); }

double weight(KappaWeights kind, std::size_t i, std::size_t j) {
  const double apart = i > j ? as_double(i - j) : as_double(j - i);
  if (kind == KappaWeights::none) return apart == 0 ? 0 : 1;
  return kind == KappaWeights::linear ? apart : apart * apart;
}

// A square table of numbers.
class Square {
 public:
  explicit Square(std::size_t side) : side_(side), cells_(side * side, 0) {}
  double& at(std::size_t i, std::size_t j) { return cells_[i * side_ + j]; }
  double at(std::size_t i, std::size_t j) const { return cells_[i * side_ + j]; }
  std::size_t side() const { return side_; }
  double row_sum(std::size_t i) const {
    double out = 0;
    for (std::size_t j = 0; j < side_; ++j) out += at(i, j);
    return out;
  }
  double column_sum(std::size_t j) const {
    double out = 0;
    for (std::size_t i = 0; i < side_; ++i) out += at(i, j);
    return out;
  }

 private:
  std::size_t side_;
  std::vector<double> cells_;
};

// How often the first rater gave one value and the second the other, by their places in ascending order.
Square pair_counts(const std::vector<RatedPair>& pairs) {
  std::vector<double> values;
  for (const RatedPair& pair : pairs) values.insert(values.end(), {pair.first, pair.second});
  values = distinct_values(std::move(values));
  Square out(values.size());
  for (const RatedPair& pair : pairs)
    out.at(place_of(values, pair.first), place_of(values, pair.second)) += pair.times;
  return out;
}

// How often each pair of values occurs among the ratings of an item, each item weighing as much as it has
// ratings (Krippendorff's coincidences).
Square coincidences(const WeightedRatings& ratings, const std::vector<double>& values) {
  Square out(values.size());
  for (std::size_t i = 0; i < ratings.items.size(); ++i) {
    if (ratings.weights[i] == 0) continue;
    std::vector<std::size_t> places;
    for (const auto& each : ratings.items[i]) {
      if (each) places.push_back(place_of(values, *each));
    }
    if (places.size() < 2) continue;
    for (std::size_t a = 0; a < places.size(); ++a) {
      for (std::size_t b = 0; b < places.size(); ++b) {
        if (a != b) out.at(places[a], places[b]) += ratings.weights[i] / as_double(places.size() - 1);
      }
    }
  }
  return out;
}

double ordinal_distance(const std::vector<double>& totals, std::size_t i, std::size_t j) {
  double between = 0;
  for (std::size_t g = std::min(i, j); g <= std::max(i, j); ++g) between += totals[g];
  const double apart = between - (totals[i] + totals[j]) / 2;
  return apart * apart;
}

double value_distance(AlphaLevel level, double a, double b) {
  if (level == AlphaLevel::nominal) return a == b ? 0 : 1;
  if (level == AlphaLevel::interval) return (a - b) * (a - b);
  const double sum = a + b;
  return sum == 0 ? 0 : (a - b) / sum * ((a - b) / sum);
}

// Mean squares of a table of items and raters.
struct MeanSquares {
  double items = 0;
  double raters = 0;
  double within = 0;  // of items
  double rest = 0;
  double n = 0;
  double k = 0;
};

// A sum of squares that is no more than the rounding of numbers of that size is none: raters who never vary
// have no variance, and quotients of such remains would be any number.
double without_rounding(double sum, double noise) { return std::abs(sum) <= noise ? 0 : sum; }

std::optional<MeanSquares> mean_squares(const CompleteItems& of) {
  const std::vector<std::vector<double>>& items = of.items;
  if (of.total < 2 || items[0].size() < 2) return std::nullopt;
  const double n = of.total;
  const std::size_t k = items[0].size();
  std::vector<double> item_means(items.size(), 0);
  std::vector<double> rater_means(k, 0);
  double mean = 0;
  double squares = 0;
  for (std::size_t i = 0; i < items.size(); ++i) {
    for (std::size_t j = 0; j < k; ++j) {
      squares += of.times[i] * items[i][j] * items[i][j];
      item_means[i] += items[i][j] / as_double(k);
      rater_means[j] += of.times[i] * items[i][j] / n;
      mean += of.times[i] * items[i][j] / (n * as_double(k));
    }
  }
  double between = 0;
  double columns = 0;
  double within = 0;
  for (std::size_t i = 0; i < items.size(); ++i) {
    between += of.times[i] * as_double(k) * (item_means[i] - mean) * (item_means[i] - mean);
    for (std::size_t j = 0; j < k; ++j) {
      within += of.times[i] * (items[i][j] - item_means[i]) * (items[i][j] - item_means[i]);
    }
  }
  for (const double rater : rater_means) columns += n * (rater - mean) * (rater - mean);
  const double noise = 1e-24 * squares;
  return MeanSquares{
      .items = without_rounding(between, noise) / (n - 1),
      .raters = without_rounding(columns, noise) / as_double(k - 1),
      .within = without_rounding(within, noise) / (n * as_double(k - 1)),
      .rest = without_rounding(within - columns, noise + 1e-12 * within) / ((n - 1) * as_double(k - 1)),
      .n = n,
      .k = as_double(k)};
}

std::optional<double> quotient(double above, double below) {
  if (below == 0 || !std::isfinite(below)) return std::nullopt;
  return above / below + 0.0;  // no negative zero
}

// A reliability of a mean has no meaning where items do not differ, as far as can be told: below is then 0,
// negative or what rounding left of the scatter.
std::optional<double> positive_quotient(double above, double below, double scatter) {
  return below <= 1e-9 * scatter ? std::nullopt : quotient(above, below);
}

}  // namespace

std::optional<double> observed_agreement(const WeightedRatings& ratings) {
  const auto pairs = rated_pairs(ratings);
  double equal = 0;
  for (const RatedPair& pair : pairs) equal += pair.first == pair.second ? pair.times : 0;
  return quotient(equal, times_of(pairs));
}

std::optional<double> matthews_correlation(const WeightedRatings& ratings) {
  const auto pairs = rated_pairs(ratings);
  const Square counts = pair_counts(pairs);
  const double n = times_of(pairs);
  double agreed = 0;
  double expected = 0;
  double first = n * n;
  double second = n * n;
  for (std::size_t i = 0; i < counts.side(); ++i) {
    const double row = counts.row_sum(i);
    const double column = counts.column_sum(i);
    agreed += counts.at(i, i);
    expected += row * column;
    first -= row * row;
    second -= column * column;
  }
  return quotient(agreed * n - expected, std::sqrt(first) * std::sqrt(second));
}

std::optional<double> cohen_kappa(const WeightedRatings& ratings, KappaWeights weights) {
  const auto pairs = rated_pairs(ratings);
  const Square counts = pair_counts(pairs);
  const double n = times_of(pairs);
  double observed = 0;
  double expected = 0;
  for (std::size_t i = 0; i < counts.side(); ++i) {
    for (std::size_t j = 0; j < counts.side(); ++j) {
      observed += weight(weights, i, j) * counts.at(i, j);
      expected += weight(weights, i, j) * counts.row_sum(i) * counts.column_sum(j) / n;
    }
  }
  const auto disagreement = quotient(observed, expected);
  if (!disagreement) return std::nullopt;
  return 1 - *disagreement;
}

std::optional<double> fleiss_kappa(const WeightedRatings& ratings) {
  const CompleteItems complete = complete_items(ratings);
  const std::vector<std::vector<double>>& items = complete.items;
  if (items.empty() || items[0].size() < 2) return std::nullopt;
  std::vector<double> values;
  for (const auto& item : items) values.insert(values.end(), item.begin(), item.end());
  values = distinct_values(std::move(values));
  std::vector<double> totals(values.size(), 0);
  const double raters = as_double(items[0].size());
  double agreement = 0;
  for (std::size_t i = 0; i < items.size(); ++i) {
    std::vector<double> counts(values.size(), 0);
    for (const double each : items[i]) counts[place_of(values, each)] += 1;
    double squares = 0;
    for (std::size_t c = 0; c < values.size(); ++c) {
      squares += counts[c] * counts[c];
      totals[c] += complete.times[i] * counts[c];
    }
    agreement += complete.times[i] * (squares - raters) / (raters * (raters - 1)) / complete.total;
  }
  double chance = 0;
  for (const double total : totals) {
    const double share = total / (raters * complete.total);
    chance += share * share;
  }
  return quotient(agreement - chance, 1 - chance);
}

std::optional<double> krippendorff_alpha(const WeightedRatings& ratings, AlphaLevel level) {
  std::vector<double> values;
  for (std::size_t i = 0; i < ratings.items.size(); ++i) {
    if (ratings.weights[i] == 0) continue;
    for (const auto& each : ratings.items[i]) {
      if (each) values.push_back(*each);
    }
  }
  values = distinct_values(std::move(values));
  const Square pairs = coincidences(ratings, values);
  std::vector<double> totals(values.size(), 0);
  double n = 0;
  for (std::size_t i = 0; i < values.size(); ++i) {
    totals[i] = pairs.row_sum(i);
    n += totals[i];
  }
  double observed = 0;
  double expected = 0;
  for (std::size_t i = 0; i < values.size(); ++i) {
    for (std::size_t j = 0; j < values.size(); ++j) {
      const double apart = level == AlphaLevel::ordinal ? ordinal_distance(totals, i, j)
                                                        : value_distance(level, values[i], values[j]);
      observed += pairs.at(i, j) * apart;
      expected += totals[i] * totals[j] * apart;
    }
  }
  const auto disagreement = quotient((n - 1) * observed, expected);
  if (!disagreement) return std::nullopt;
  return 1 - *disagreement;
}

std::optional<double> intraclass_correlation(const WeightedRatings& ratings, IccForm form) {
  const auto squares = mean_squares(complete_items(ratings));
  if (!squares) return std::nullopt;
  const auto& [items, raters, within, rest, n, k] = *squares;
  switch (form) {
    case IccForm::one_single:
      return quotient(items - within, items + (k - 1) * within);
    case IccForm::two_single:
      return quotient(items - rest, items + (k - 1) * rest + k * (raters - rest) / n);
    case IccForm::three_single:
      return quotient(items - rest, items + (k - 1) * rest);
    case IccForm::one_mean:
      return positive_quotient(items - within, items, within);
    case IccForm::two_mean:
      return positive_quotient(items - rest, items + (raters - rest) / n, rest);
    case IccForm::three_mean:
      return positive_quotient(items - rest, items, rest);
  }
  return std::nullopt;
}

std::optional<Interval> of_mean_rating(const Interval& single, int raters) {
  const double more = raters - 1;
  if (1 + more * single.low <= 1e-9) return std::nullopt;
  const auto stepped_up = [more](double value) { return (more + 1) * value / (1 + more * value); };
  return Interval{stepped_up(single.low), stepped_up(single.high)};
}

Confusion confusion(const Ratings& ratings) {
  Confusion out;
  for (const RatedPair& pair : rated_pairs(ratings)) {
    const double truth = pair.first;
    if (pair.second != 0) {
      ++(truth != 0 ? out.true_positives : out.false_positives);
    } else {
      ++(truth != 0 ? out.false_negatives : out.true_negatives);
    }
  }
  return out;
}

namespace {

// Items that were rated alike, once, and for every cluster which of them it holds.
struct DistinctItems {
  Ratings items;
  std::vector<std::vector<std::size_t>> clusters;
};

DistinctItems distinct_items(const Ratings& ratings, const std::vector<std::size_t>& clusters) {
  DistinctItems out;
  std::map<std::vector<std::optional<double>>, std::size_t> places;
  for (std::size_t i = 0; i < ratings.size(); ++i) {
    const auto [place, is_new] = places.emplace(ratings[i], out.items.size());
    if (is_new) out.items.push_back(ratings[i]);
    const std::size_t cluster = clusters.empty() ? i : clusters[i];
    if (cluster >= out.clusters.size()) out.clusters.resize(cluster + 1);
    out.clusters[cluster].push_back(place->second);
  }
  return out;
}

}  // namespace

std::vector<std::optional<Interval>> agreement_intervals95(const Ratings& ratings,
                                                           const std::vector<AgreementStatistic>& statistics,
                                                           const AgreementDraws& draws) {
  std::vector<std::optional<Interval>> out(statistics.size());
  const DistinctItems distinct = distinct_items(ratings, draws.clusters);
  if (std::ssize(distinct.clusters) < least_resampled) return out;
  Random random(draws.seed);
  std::vector<std::vector<double>> values(statistics.size());
  WeightedRatings drawn(distinct.items);
  for (int draw = 0; draw < draws.resamples; ++draw) {
    std::fill(drawn.weights.begin(), drawn.weights.end(), 0);
    for (std::size_t i = 0; i < distinct.clusters.size(); ++i) {
      for (const std::size_t item : distinct.clusters[random.below(distinct.clusters.size())])
        drawn.weights[item] += 1;
    }
    for (std::size_t i = 0; i < statistics.size(); ++i) {
      if (const auto value = statistics[i](drawn)) values[i].push_back(*value);
    }
  }
  for (std::size_t i = 0; i < statistics.size(); ++i) {
    if (values[i].size() * 2 <= static_cast<std::size_t>(draws.resamples)) continue;
    std::sort(values[i].begin(), values[i].end());
    out[i] = Interval{percentile(values[i], 0.025), percentile(values[i], 0.975)};
  }
  return out;
}

std::optional<Interval> agreement_interval95(const Ratings& ratings, const AgreementStatistic& statistic,
                                             int resamples, std::uint64_t seed) {
  return agreement_intervals95(ratings, {statistic}, {.resamples = resamples, .seed = seed}).front();
}

}  // namespace fiducial
