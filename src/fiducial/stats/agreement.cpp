#include "fiducial/stats/agreement.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "fiducial/base/random.h"

namespace fiducial {

namespace {

using RatedPair = std::pair<double, double>;

// Items that the first two raters both rated.
std::vector<RatedPair> rated_pairs(const Ratings& ratings) {
  std::vector<RatedPair> out;
  for (const auto& item : ratings) {
    if (item.size() >= 2 && item[0] && item[1]) out.emplace_back(*item[0], *item[1]);
  }
  return out;
}

// Items without gaps, when all have the same number of raters.
std::vector<std::vector<double>> complete_items(const Ratings& ratings) {
  std::vector<std::vector<double>> out;
  for (const auto& item : ratings) {
    if (item.empty() || std::any_of(item.begin(), item.end(), [](const auto& each) { return !each; }))
      continue;
    out.emplace_back();
    for (const auto& each : item) out.back().push_back(*each);
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
  for (const auto& [a, b] : pairs) values.insert(values.end(), {a, b});
  values = distinct_values(std::move(values));
  Square out(values.size());
  for (const auto& [a, b] : pairs) out.at(place_of(values, a), place_of(values, b)) += 1;
  return out;
}

// How often each pair of values occurs among the ratings of an item, each item weighing as much as it has
// ratings (Krippendorff's coincidences).
Square coincidences(const Ratings& ratings, const std::vector<double>& values) {
  Square out(values.size());
  for (const auto& item : ratings) {
    std::vector<std::size_t> places;
    for (const auto& each : item) {
      if (each) places.push_back(place_of(values, *each));
    }
    if (places.size() < 2) continue;
    for (std::size_t a = 0; a < places.size(); ++a) {
      for (std::size_t b = 0; b < places.size(); ++b) {
        if (a != b) out.at(places[a], places[b]) += 1 / as_double(places.size() - 1);
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

std::optional<MeanSquares> mean_squares(const std::vector<std::vector<double>>& items) {
  if (items.size() < 2 || items[0].size() < 2) return std::nullopt;
  const std::size_t n = items.size();
  const std::size_t k = items[0].size();
  std::vector<double> item_means(n, 0);
  std::vector<double> rater_means(k, 0);
  double mean = 0;
  double squares = 0;
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j < k; ++j) {
      squares += items[i][j] * items[i][j];
      item_means[i] += items[i][j] / as_double(k);
      rater_means[j] += items[i][j] / as_double(n);
      mean += items[i][j] / as_double(n * k);
    }
  }
  double between = 0;
  double columns = 0;
  double within = 0;
  for (std::size_t i = 0; i < n; ++i) {
    between += as_double(k) * (item_means[i] - mean) * (item_means[i] - mean);
    for (std::size_t j = 0; j < k; ++j) {
      within += (items[i][j] - item_means[i]) * (items[i][j] - item_means[i]);
    }
  }
  for (const double rater : rater_means) columns += as_double(n) * (rater - mean) * (rater - mean);
  const double noise = 1e-24 * squares;
  return MeanSquares{
      .items = without_rounding(between, noise) / as_double(n - 1),
      .raters = without_rounding(columns, noise) / as_double(k - 1),
      .within = without_rounding(within, noise) / as_double(n * (k - 1)),
      .rest = without_rounding(within - columns, noise + 1e-12 * within) / as_double((n - 1) * (k - 1)),
      .n = as_double(n),
      .k = as_double(k)};
}

std::optional<double> quotient(double above, double below) {
  if (below == 0 || !std::isfinite(below)) return std::nullopt;
  return above / below + 0.0;  // no negative zero
}

}  // namespace

std::optional<double> observed_agreement(const Ratings& ratings) {
  const auto pairs = rated_pairs(ratings);
  const auto equal =
      std::count_if(pairs.begin(), pairs.end(), [](const RatedPair& p) { return p.first == p.second; });
  return quotient(static_cast<double>(equal), as_double(pairs.size()));
}

std::optional<double> matthews_correlation(const Ratings& ratings) {
  const auto pairs = rated_pairs(ratings);
  const Square counts = pair_counts(pairs);
  const double n = as_double(pairs.size());
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

std::optional<double> cohen_kappa(const Ratings& ratings, KappaWeights weights) {
  const auto pairs = rated_pairs(ratings);
  const Square counts = pair_counts(pairs);
  double observed = 0;
  double expected = 0;
  for (std::size_t i = 0; i < counts.side(); ++i) {
    for (std::size_t j = 0; j < counts.side(); ++j) {
      observed += weight(weights, i, j) * counts.at(i, j);
      expected += weight(weights, i, j) * counts.row_sum(i) * counts.column_sum(j) / as_double(pairs.size());
    }
  }
  const auto disagreement = quotient(observed, expected);
  if (!disagreement) return std::nullopt;
  return 1 - *disagreement;
}

std::optional<double> fleiss_kappa(const Ratings& ratings) {
  const auto items = complete_items(ratings);
  if (items.empty() || items[0].size() < 2) return std::nullopt;
  std::vector<double> values;
  for (const auto& item : items) values.insert(values.end(), item.begin(), item.end());
  values = distinct_values(std::move(values));
  std::vector<double> totals(values.size(), 0);
  const double raters = as_double(items[0].size());
  double agreement = 0;
  for (const auto& item : items) {
    std::vector<double> counts(values.size(), 0);
    for (const double each : item) counts[place_of(values, each)] += 1;
    double squares = 0;
    for (std::size_t c = 0; c < values.size(); ++c) {
      squares += counts[c] * counts[c];
      totals[c] += counts[c];
    }
    agreement += (squares - raters) / (raters * (raters - 1)) / as_double(items.size());
  }
  double chance = 0;
  for (const double total : totals) {
    const double share = total / (raters * as_double(items.size()));
    chance += share * share;
  }
  return quotient(agreement - chance, 1 - chance);
}

std::optional<double> krippendorff_alpha(const Ratings& ratings, AlphaLevel level) {
  std::vector<double> values;
  for (const auto& item : ratings) {
    for (const auto& each : item) {
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

std::optional<double> intraclass_correlation(const Ratings& ratings, IccForm form) {
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
      return quotient(items - within, items);
    case IccForm::two_mean:
      return quotient(items - rest, items + (raters - rest) / n);
    case IccForm::three_mean:
      return quotient(items - rest, items);
  }
  return std::nullopt;
}

Confusion confusion(const Ratings& ratings) {
  Confusion out;
  for (const auto& [truth, said] : rated_pairs(ratings)) {
    if (said != 0) {
      ++(truth != 0 ? out.true_positives : out.false_positives);
    } else {
      ++(truth != 0 ? out.false_negatives : out.true_negatives);
    }
  }
  return out;
}

std::optional<Interval> agreement_interval95(const Ratings& ratings, const AgreementStatistic& statistic,
                                             int resamples, std::uint64_t seed) {
  if (ratings.size() < 2) return std::nullopt;
  Random random(seed);
  std::vector<double> values;
  Ratings drawn(ratings.size());
  for (int i = 0; i < resamples; ++i) {
    for (auto& item : drawn) item = ratings[random.below(ratings.size())];
    if (const auto value = statistic(drawn)) values.push_back(*value);
  }
  if (values.size() * 2 <= static_cast<std::size_t>(resamples)) return std::nullopt;
  std::sort(values.begin(), values.end());
  return Interval{percentile(values, 0.025), percentile(values, 0.975)};
}

}  // namespace fiducial
