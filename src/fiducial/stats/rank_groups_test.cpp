#include "fiducial/stats/rank_groups.h"

#include <gtest/gtest.h>

namespace fiducial {
namespace {

TEST(HolmAdjusted, multiplies_the_smallest_by_all_and_never_descends) {
  const std::vector<double> p{0.01, 0.04, 0.03, 0.005};
  const std::vector<double> expected{0.03, 0.06, 0.06, 0.02};
  const std::vector<double> found = holm_adjusted(p);
  for (std::size_t i = 0; i < p.size(); ++i) EXPECT_DOUBLE_EQ(found[i], expected[i]) << i;
}

TEST(HolmAdjusted, never_exceeds_one) {
  const std::vector<double> p{0.9, 0.8};
  EXPECT_EQ(holm_adjusted(p), (std::vector<double>{1, 1}));
}

TEST(TieGroups, compare_each_system_with_the_leader_of_its_group_only) {
  // Values 10, 8, 6, 4, 1, told apart from a distance of 3 on: 10 8 | 6 4 | 1.
  const std::vector<double> values{10, 8, 6, 4, 1};
  const auto groups = tie_groups(
      5, [&](std::size_t leader, std::size_t other) { return values[leader] - values[other] >= 3; });
  EXPECT_EQ(groups, (std::vector<std::size_t>{0, 0, 1, 1, 2}));
}

TEST(Ranks, share_the_better_rank_among_equals_and_put_missing_values_last) {
  const std::vector<std::optional<double>> values{0.5, std::nullopt, 0.9, 0.5};
  EXPECT_EQ(ranks(values, true), (std::vector<std::size_t>{2, 4, 1, 2}));
  EXPECT_EQ(ranks(values, false), (std::vector<std::size_t>{1, 4, 3, 1}));
}

}  // namespace
}  // namespace fiducial
