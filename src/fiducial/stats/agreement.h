#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <optional>
#include <utility>
#include <vector>

#include "fiducial/stats/bootstrap.h"

namespace fiducial {

// What several raters said about the same items: one row an item, one column a rater, nothing where a rater
// gave no rating.
using Ratings = std::vector<std::vector<std::optional<double>>>;

// Ratings of which each counts several times, or not at all: what a draw with replacement gives.
struct WeightedRatings {
  WeightedRatings(Ratings each) : items(std::move(each)), weights(items.size(), 1) {}

  Ratings items;
  std::vector<double> weights;  // one an item
};

// How far apart two categories count, by their places in ascending order.
enum class KappaWeights { none, linear, quadratic };

// How far apart two values are for Krippendorff's alpha.
enum class AlphaLevel { nominal, ordinal, interval, ratio };

// The forms of Shrout and Fleiss (1979): model 1, 2 or 3, of one rater or of the mean of all.
enum class IccForm { one_single, two_single, three_single, one_mean, two_mean, three_mean };

// Statistics of agreement. Nothing where they are not defined: no rated items, raters without any variation,
// too few raters. Items that lack a rating a statistic needs are left out of it.

// Of two raters.
std::optional<double> observed_agreement(const WeightedRatings& ratings);
// The correlation of two raters: for two values Matthews', for more its generalisation (Gorodkin 2004).
std::optional<double> matthews_correlation(const WeightedRatings& ratings);
std::optional<double> cohen_kappa(const WeightedRatings& ratings, KappaWeights weights);

// Of several raters.
std::optional<double> fleiss_kappa(const WeightedRatings& ratings);
std::optional<double> krippendorff_alpha(const WeightedRatings& ratings, AlphaLevel level);
std::optional<double> intraclass_correlation(const WeightedRatings& ratings, IccForm form);

// The interval of the mean of several raters that follows from that of one (Spearman and Brown). Nothing
// where it has no lower end: a single rating as bad as that may stand for any value.
std::optional<Interval> of_mean_rating(const Interval& single, int raters);

// The share of items, among those both raters rated, by the pair of their values: truth is the first rater.
struct Confusion {
  std::int64_t true_positives = 0;
  std::int64_t true_negatives = 0;
  std::int64_t false_positives = 0;
  std::int64_t false_negatives = 0;
};
// Of two raters whose values are 0 and 1.
Confusion confusion(const Ratings& ratings);

using AgreementStatistic = std::function<std::optional<double>(const WeightedRatings& ratings)>;

// How items are drawn for intervals.
struct AgreementDraws {
  int resamples = 1000;
  std::uint64_t seed = 0;
  // The cluster of every item, from 0: items of a cluster hang together and are drawn together. Empty: each
  // item is drawn by itself.
  std::vector<std::size_t> clusters = {};
};

// Percentile intervals of several statistics from the same draws with replacement. Nothing where most draws
// have no value, or where there is but one cluster. Items that were rated alike are counted and not repeated,
// so a draw costs what its different items cost.
std::vector<std::optional<Interval>> agreement_intervals95(const Ratings& ratings,
                                                           const std::vector<AgreementStatistic>& statistics,
                                                           const AgreementDraws& draws);
std::optional<Interval> agreement_interval95(const Ratings& ratings, const AgreementStatistic& statistic,
                                             int resamples, std::uint64_t seed);

}  // namespace fiducial
