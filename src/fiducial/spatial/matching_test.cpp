#include "fiducial/spatial/matching.h"

#include <algorithm>
#include <set>

#include <gtest/gtest.h>

#include "fiducial/base/random.h"

namespace fiducial {
namespace {

double dice(const Overlap& pair) {
  return 2.0 * static_cast<double>(pair.both) / static_cast<double>(pair.reference + pair.prediction);
}

ScorePair at_least(double threshold) {
  return [threshold](const Overlap& pair) { return PairScore{dice(pair), dice(pair) >= threshold}; };
}

OverlapTable random_table(Random& random) {
  OverlapTable table;
  const auto references = static_cast<std::int32_t>(random.below(6));
  const auto predictions = static_cast<std::int32_t>(random.below(6));
  for (std::int32_t i = 0; i < references; ++i) table.reference.push_back({i * 3 + 1, random.between(4, 8)});
  for (std::int32_t i = 0; i < predictions; ++i)
    table.prediction.push_back({i * 2 + 5, random.between(4, 8)});
  for (std::int32_t i = 0; i < references; ++i) {
    for (std::int32_t j = 0; j < predictions; ++j) {
      if (random.below(2) == 0) table.pairs.push_back({i, j, random.between(1, 4)});
    }
  }
  return table;
}

// Searches the whole table anew for the best remaining pair, until none is enough.
std::vector<std::pair<std::int32_t, std::int32_t>> obvious_matches(const OverlapTable& table,
                                                                   double threshold) {
  std::vector<std::pair<std::int32_t, std::int32_t>> out;
  std::set<std::int32_t> used_references;
  std::set<std::int32_t> used_predictions;
  for (;;) {
    const OverlapTable::Pair* best = nullptr;
    double best_dice = -1;
    for (const OverlapTable::Pair& pair : table.pairs) {
      if (used_references.contains(pair.reference_index) || used_predictions.contains(pair.prediction_index))
        continue;
      const double score =
          dice({table.reference[static_cast<std::size_t>(pair.reference_index)].voxels,
                table.prediction[static_cast<std::size_t>(pair.prediction_index)].voxels, pair.voxels});
      if (score < threshold || score <= best_dice) continue;
      best = &pair;
      best_dice = score;
    }
    if (best == nullptr) return out;
    used_references.insert(best->reference_index);
    used_predictions.insert(best->prediction_index);
    out.emplace_back(table.reference[static_cast<std::size_t>(best->reference_index)].label,
                     table.prediction[static_cast<std::size_t>(best->prediction_index)].label);
  }
}

TEST(MatchGreedily, takes_the_best_remaining_pair_each_time) {
  Random random(1);
  for (int trial = 0; trial < 500; ++trial) {
    const OverlapTable table = random_table(random);
    for (const double threshold : {0.0, 0.2, 0.5}) {
      const InstanceMatching found = match_greedily(table, at_least(threshold));
      std::vector<std::pair<std::int32_t, std::int32_t>> matches;
      for (const InstanceMatch& match : found.matches)
        matches.emplace_back(match.reference, match.prediction);
      ASSERT_EQ(matches, obvious_matches(table, threshold));
      ASSERT_EQ(found.unmatched_reference.size(), table.reference.size() - matches.size());
      ASSERT_EQ(found.unmatched_prediction.size(), table.prediction.size() - matches.size());
      ASSERT_TRUE(std::is_sorted(found.unmatched_reference.begin(), found.unmatched_reference.end()));
      ASSERT_TRUE(std::is_sorted(found.unmatched_prediction.begin(), found.unmatched_prediction.end()));
    }
  }
}

TEST(MatchGreedily, matches_nothing_in_an_empty_table) {
  const InstanceMatching found = match_greedily({}, at_least(0));
  EXPECT_TRUE(found.matches.empty());
  EXPECT_FALSE(found.had_tie);
}

TEST(MatchGreedily, leaves_instances_that_share_no_voxel_unmatched) {
  const InstanceMatching found = match_greedily({{{1, 5}}, {{7, 5}}, {}}, at_least(0));
  EXPECT_EQ(found.unmatched_reference, std::vector<std::int32_t>{1});
  EXPECT_EQ(found.unmatched_prediction, std::vector<std::int32_t>{7});
}

TEST(MatchGreedily, includes_a_pair_exactly_at_the_threshold) {
  const OverlapTable table{{{1, 10}}, {{1, 10}}, {{0, 0, 2}}};
  EXPECT_EQ(match_greedily(table, at_least(0.2)).matches.size(), 1U);
  EXPECT_EQ(match_greedily(table, at_least(0.2)).matches.at(0).dice, 0.2);
  EXPECT_TRUE(match_greedily(table, at_least(0.2000001)).matches.empty());
}

TEST(MatchGreedily, breaks_a_tie_by_lower_labels_and_says_so) {
  const OverlapTable table{{{1, 10}, {2, 10}}, {{1, 10}}, {{0, 0, 5}, {1, 0, 5}}};
  const InstanceMatching found = match_greedily(table, at_least(0));
  ASSERT_EQ(found.matches.size(), 1U);
  EXPECT_EQ(found.matches[0].reference, 1);
  EXPECT_TRUE(found.had_tie);
}

TEST(MatchGreedily, sees_no_tie_in_equal_pairs_that_do_not_exclude_each_other) {
  const OverlapTable table{{{1, 10}, {2, 10}}, {{1, 10}, {2, 10}}, {{0, 0, 5}, {1, 1, 5}}};
  const InstanceMatching found = match_greedily(table, at_least(0));
  EXPECT_EQ(found.matches.size(), 2U);
  EXPECT_FALSE(found.had_tie);
}

}  // namespace
}  // namespace fiducial
