#include "fiducial/curate/reports/sentence_weights.h"

#include <numeric>
#include <optional>

#include <gtest/gtest.h>

namespace fiducial {
namespace {

Finding sized_finding(const char* category, std::optional<std::int64_t> voxels) {
  return {.category = category, .category_title = "of the ontology", .voxels = voxels};
}

std::vector<double> weights_of(const std::vector<Finding>& findings, const SentenceWeightRule& rule) {
  std::vector<const Finding*> pointers;
  pointers.reserve(findings.size());
  for (const Finding& finding : findings) pointers.push_back(&finding);
  return sentence_weights(pointers, rule);
}

TEST(SentenceWeights, follow_the_rarity_of_a_category_and_have_a_mean_of_one) {
  const std::vector<double> out =
      weights_of({sized_finding("2d", 8), sized_finding("2d", 8), sized_finding("2d", 8),
                  sized_finding("2d", 8), sized_finding("1c", 8)},
                 {.category_power = 0.5, .size_power = 0});
  EXPECT_DOUBLE_EQ(out[4] / out[0], 2);
  EXPECT_DOUBLE_EQ(std::accumulate(out.begin(), out.end(), 0.0), 5);
}

TEST(SentenceWeights, prefer_small_findings) {
  const std::vector<double> out = weights_of({sized_finding("2d", 16), sized_finding("2d", 1)},
                                             {.category_power = 0.5, .size_power = 0.25});
  EXPECT_DOUBLE_EQ(out[1] / out[0], 2);
}

TEST(SentenceWeights, take_the_median_for_sizes_that_are_not_known) {
  const std::vector<double> out =
      weights_of({sized_finding("2d", 1), sized_finding("2d", 100), sized_finding("2d", 10'000),
                  sized_finding("2d", std::nullopt), sized_finding("2d", 0)},
                 {.category_power = 0, .size_power = 1});
  EXPECT_DOUBLE_EQ(out[3], out[1]);
  EXPECT_DOUBLE_EQ(out[4], out[1]);
}

TEST(SentenceWeights, are_all_one_where_nothing_is_preferred) {
  EXPECT_EQ(
      weights_of({sized_finding("2d", 1), sized_finding("1c", 100)}, {.category_power = 0, .size_power = 0}),
      (std::vector<double>{1, 1}));
  EXPECT_TRUE(weights_of({}, {}).empty());
}

}  // namespace
}  // namespace fiducial
