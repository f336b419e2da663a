#include "fiducial/datasets/co_occurrence.h"

#include <gtest/gtest.h>

namespace fiducial {
namespace {

TEST(CoOccurrence, counts_each_pair_of_a_thing_once) {
  PairCounts counts;
  add_pairs({"b", "a", "c"}, counts);
  add_pairs({"a", "c"}, counts);
  add_pairs({"a"}, counts);
  EXPECT_EQ(counts, (PairCounts{{{"a", "b"}, 1}, {{"a", "c"}, 2}, {{"b", "c"}, 1}}));
  EXPECT_EQ(pairs_json(counts, "names", "scans").compact().substr(0, 32),
            R"([{"names":["a","b"],"scans":1},{)");
}

TEST(CoOccurrence, draws_the_most_frequent_pairs_of_all_splits) {
  PairCounts train, test;
  for (char second = 'b'; second <= 'z'; ++second) add_pairs({"a", std::string(1, second)}, train);
  for (int i = 0; i < 3; ++i) add_pairs({"a", "z"}, test);
  const PairCounts none;
  const DescribedDistribution drawn = drawn_pairs(
      {.name = "pairs"}, "cases", {{"train", 40, &train}, {"test", 10, &test}, {"empty", 0, &none}});
  ASSERT_EQ(drawn.labels.size(), 20u);
  EXPECT_EQ(drawn.labels.front(), "a and z");
  EXPECT_EQ(drawn.labels[1], "a and b");
  ASSERT_EQ(drawn.series.size(), 2u);
  EXPECT_EQ(drawn.series[1].counts.front().count, 3);
  EXPECT_EQ(drawn.series[1].counts[1].count, 0);
  EXPECT_EQ(drawn.series[0].whole, 40);
}

}  // namespace
}  // namespace fiducial
