#include "fiducial/stats/agreement.h"

#include <gtest/gtest.h>

#include "fiducial/base/reference_values.h"

namespace fiducial {

namespace {

constexpr std::optional<double> no_rating;

Ratings paired(const std::vector<double>& a, const std::vector<double>& b) {
  Ratings out;
  for (std::size_t i = 0; i < a.size(); ++i) out.push_back({a[i], b[i]});
  return out;
}

// Krippendorff's four observers and twelve units, turned to one row a unit.
Ratings canonical() {
  return {{1, 1, no_rating, 1},
          {2, 2, 3, 2},
          {3, 3, 3, 3},
          {3, 3, 3, 3},
          {2, 2, 2, 2},
          {1, 2, 3, 4},
          {4, 4, 4, 4},
          {1, 1, 2, 1},
          {2, 2, 2, 2},
          {no_rating, 5, 5, 5},
          {no_rating, no_rating, 1, 1},
          {no_rating, no_rating, 3, no_rating}};
}

// Shrout and Fleiss (1979), table 2.
Ratings judges() {
  return {{9, 2, 5, 8}, {6, 1, 3, 2}, {8, 4, 6, 8}, {7, 1, 2, 6}, {10, 5, 6, 9}, {6, 2, 4, 7}};
}

}  // namespace

TEST(CohenKappa, equals_the_values_of_scikit_learn) {
  const Ratings ratings = paired({0, 1, 1, 2, 2, 0, 1, 2, 0, 1}, {0, 1, 2, 2, 2, 0, 1, 1, 0, 0});
  EXPECT_NEAR(*cohen_kappa(ratings, KappaWeights::none), 0.5522388059701493, 1e-14);
  EXPECT_NEAR(*cohen_kappa(ratings, KappaWeights::linear), 0.6590909090909092, 1e-14);
  EXPECT_NEAR(*cohen_kappa(ratings, KappaWeights::quadratic), 0.7692307692307692, 1e-14);
}

// By name, as tests/reference/agreement.json has them.
std::optional<double> statistic_of(const std::string& name, const Ratings& ratings) {
  if (name == "mcc") return matthews_correlation(ratings);
  if (name == "cohen_kappa") return cohen_kappa(ratings, KappaWeights::none);
  if (name == "cohen_kappa_linear") return cohen_kappa(ratings, KappaWeights::linear);
  if (name == "cohen_kappa_quadratic") return cohen_kappa(ratings, KappaWeights::quadratic);
  const std::vector<std::string> levels{"nominal", "ordinal", "interval", "ratio"};
  for (std::size_t i = 0; i < levels.size(); ++i) {
    if (name == "krippendorff_alpha_" + levels[i])
      return krippendorff_alpha(ratings, static_cast<AlphaLevel>(i));
  }
  const std::vector<std::string> forms{"1_1", "2_1", "3_1", "1_k", "2_k", "3_k"};
  for (std::size_t i = 0; i < forms.size(); ++i) {
    if (name == "icc_" + forms[i]) return intraclass_correlation(ratings, static_cast<IccForm>(i));
  }
  return std::nullopt;
}

TEST(Agreement, equals_scikit_learn_krippendorff_and_pingouin) {
  const Json reference = reference_values("agreement.json");
  for (const Json& table : *reference.find("tables")->as_array()) {
    Ratings ratings;
    for (const Json& row : *table.find("ratings")->as_array()) {
      ratings.emplace_back();
      for (const Json& value : *row.as_array()) ratings.back().push_back(value.as_number());
    }
    for (const auto& [name, value] : *table.find("values")->as_object()) {
      const auto found = statistic_of(name, ratings);
      ASSERT_TRUE(found) << name;
      EXPECT_NEAR(*found, *value.as_number(), 1e-10) << name << " of " << ratings.size() << " items";
    }
  }
}

TEST(MatthewsCorrelation, of_several_labels_equals_scikit_learn) {
  const Ratings ratings = paired({0, 1, 1, 2, 2, 0, 1, 2, 0, 1}, {0, 1, 2, 2, 2, 0, 1, 1, 0, 0});
  EXPECT_NEAR(*matthews_correlation(ratings), 0.5606060606060606, 1e-14);
}

TEST(IntraclassCorrelation, is_undefined_without_any_variation) {
  for (const auto form : {IccForm::one_single, IccForm::two_single, IccForm::three_single, IccForm::one_mean,
                          IccForm::two_mean, IccForm::three_mean}) {
    EXPECT_FALSE(intraclass_correlation(paired({1, 1, 1, 1, 1}, {1, 1, 1, 1, 1}), form));
    EXPECT_FALSE(intraclass_correlation(Ratings{{0.1, 0.1, 0.1}, {0.1, 0.1, 0.1}, {0.1, 0.1, 0.1}}, form));
  }
  // Raters who differ always by the same agree in the order of nothing.
  EXPECT_FALSE(intraclass_correlation(Ratings{{1, 2, 4}, {1, 2, 4}, {1, 2, 4}}, IccForm::three_single));
  EXPECT_EQ(intraclass_correlation(Ratings{{1, 2, 4}, {1, 2, 4}, {1, 2, 4}}, IccForm::two_single), 0);
}

TEST(CohenKappa, is_undefined_for_raters_who_never_vary) {
  EXPECT_FALSE(cohen_kappa(paired({1, 1, 1}, {1, 1, 1}), KappaWeights::none));
  EXPECT_FALSE(matthews_correlation(paired({1, 1, 1}, {1, 1, 1})));
  EXPECT_EQ(observed_agreement(paired({1, 1, 1}, {1, 1, 1})), 1);
}

TEST(Agreement, of_two_raters_equals_the_worked_example_of_the_step_judge) {
  const Ratings ratings = paired({1, 1, 1, 1, 1, 0, 0, 0, 1, 0}, {1, 1, 1, 1, 0, 0, 0, 1, 1, 0});
  const Confusion counts = confusion(ratings);
  EXPECT_EQ(counts.true_positives, 5);
  EXPECT_EQ(counts.true_negatives, 3);
  EXPECT_EQ(counts.false_positives, 1);
  EXPECT_EQ(counts.false_negatives, 1);
  EXPECT_NEAR(*observed_agreement(ratings), 0.8, 1e-15);
  EXPECT_NEAR(*matthews_correlation(ratings), 0.583333, 1e-6);
  EXPECT_NEAR(*cohen_kappa(ratings, KappaWeights::none), 0.583333, 1e-6);
}

TEST(Agreement, leaves_out_items_without_both_ratings) {
  Ratings ratings = paired({1, 0, 1, 0}, {1, 0, 0, 0});
  const auto whole = cohen_kappa(ratings, KappaWeights::none);
  ratings.push_back({1, no_rating});
  ratings.push_back({no_rating, no_rating});
  EXPECT_EQ(cohen_kappa(ratings, KappaWeights::none), whole);
  EXPECT_FALSE(observed_agreement(Ratings{{1, no_rating}}));
}

TEST(FleissKappa, equals_the_textbook_table) {
  // Ten subjects, fourteen raters, five categories.
  const std::vector<std::vector<int>> table{
      {0, 0, 0, 0, 14}, {0, 2, 6, 4, 2}, {0, 0, 3, 5, 6}, {0, 3, 9, 2, 0}, {2, 2, 8, 1, 1},
      {7, 7, 0, 0, 0},  {3, 2, 6, 3, 0}, {2, 5, 3, 2, 2}, {6, 5, 2, 1, 0}, {0, 2, 2, 3, 7}};
  Ratings ratings;
  for (const auto& counts : table) {
    ratings.emplace_back();
    for (std::size_t c = 0; c < counts.size(); ++c) {
      for (int i = 0; i < counts[c]; ++i) ratings.back().emplace_back(static_cast<double>(c));
    }
  }
  EXPECT_NEAR(*fleiss_kappa(ratings), 0.20993070442195522, 1e-14);
}

TEST(KrippendorffAlpha, equals_the_canonical_example_at_every_level) {
  EXPECT_NEAR(*krippendorff_alpha(canonical(), AlphaLevel::nominal), .743421, 1e-6);
  EXPECT_NEAR(*krippendorff_alpha(canonical(), AlphaLevel::ordinal), .815388, 1e-6);
  EXPECT_NEAR(*krippendorff_alpha(canonical(), AlphaLevel::interval), .849107, 1e-6);
  EXPECT_NEAR(*krippendorff_alpha(canonical(), AlphaLevel::ratio), .797403, 1e-6);
  EXPECT_FALSE(krippendorff_alpha(Ratings{{1, 1}, {1, no_rating}}, AlphaLevel::nominal));
}

TEST(IntraclassCorrelation, equals_the_six_forms_of_shrout_and_fleiss) {
  EXPECT_NEAR(*intraclass_correlation(judges(), IccForm::one_single), .165742, 1e-6);
  EXPECT_NEAR(*intraclass_correlation(judges(), IccForm::two_single), .289764, 1e-6);
  EXPECT_NEAR(*intraclass_correlation(judges(), IccForm::three_single), .714841, 1e-6);
  EXPECT_NEAR(*intraclass_correlation(judges(), IccForm::one_mean), .442797, 1e-6);
  EXPECT_NEAR(*intraclass_correlation(judges(), IccForm::two_mean), .620051, 1e-6);
  EXPECT_NEAR(*intraclass_correlation(judges(), IccForm::three_mean), .909316, 1e-6);
  EXPECT_FALSE(intraclass_correlation(Ratings{{1, 2}}, IccForm::two_single));
}

TEST(AgreementInterval, holds_the_value_and_is_the_same_for_one_seed) {
  const Ratings ratings = paired({0, 1, 1, 2, 2, 0, 1, 2, 0, 1}, {0, 1, 2, 2, 2, 0, 1, 1, 0, 0});
  const AgreementStatistic kappa = [](const WeightedRatings& r) {
    return cohen_kappa(r, KappaWeights::none);
  };
  const auto interval = agreement_interval95(ratings, kappa, 500, 7);
  ASSERT_TRUE(interval);
  EXPECT_LT(interval->low, *kappa(ratings));
  EXPECT_GT(interval->high, *kappa(ratings));
  EXPECT_EQ(agreement_interval95(ratings, kappa, 500, 7)->low, interval->low);
  EXPECT_FALSE(agreement_interval95({{1, 1}}, kappa, 500, 7));
}

TEST(IntraclassCorrelation, of_a_mean_is_undefined_where_items_do_not_differ) {
  const Ratings apart{{1, 0}, {0, 1}};  // what rounding leaves of the items would give any number
  EXPECT_FALSE(intraclass_correlation(apart, IccForm::one_mean));
  EXPECT_FALSE(intraclass_correlation(apart, IccForm::two_mean));
}

TEST(IntraclassCorrelation, steps_an_interval_up_as_it_does_values) {
  const double one = *intraclass_correlation(judges(), IccForm::two_single);
  const auto mean = of_mean_rating({one, 0.5}, 4);
  ASSERT_TRUE(mean);
  EXPECT_NEAR(mean->low, *intraclass_correlation(judges(), IccForm::two_mean), 1e-12);
  EXPECT_NEAR(mean->high, 0.8, 1e-12);
  EXPECT_FALSE(of_mean_rating({-0.5, 0.5}, 3));
}

}  // namespace fiducial
