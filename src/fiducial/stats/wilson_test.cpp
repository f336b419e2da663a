#include "fiducial/stats/wilson.h"

#include <vector>

#include <gtest/gtest.h>

namespace fiducial {
namespace {

// Published beside the leaderboard: 412 of 720 give 53.58 to 60.79 %, 182 of 720 give 22.2 to 28.6 %.
TEST(Wilson, gives_published_intervals) {
  EXPECT_NEAR(wilson95(412, 720).low, 0.5358, 5e-5);
  EXPECT_NEAR(wilson95(412, 720).high, 0.6079, 5e-5);
  EXPECT_NEAR(wilson95(182, 720).low, 0.222, 5e-4);
  EXPECT_NEAR(wilson95(182, 720).high, 0.286, 5e-4);
}

TEST(Wilson, stays_between_nothing_and_all) {
  EXPECT_EQ(wilson95(0, 3).low, 0);
  EXPECT_GT(wilson95(0, 3).high, 0.5);
  EXPECT_EQ(wilson95(3, 3).high, 1);
  EXPECT_LT(wilson95(3, 3).low, 0.5);
}

TEST(ClusteredShare, is_as_wide_as_that_of_few_items_where_clusters_agree_in_themselves) {
  // Ten reports of five items, all wrong in four of them and right in the others: hardly more than ten items.
  std::vector<ClusterCount> clusters(6, {.hits = 0, .items = 5});
  clusters.insert(clusters.end(), 4, {.hits = 5, .items = 5});
  const Interval interval = clustered_share95(clusters);
  EXPECT_LT(interval.low, wilson95(4, 10).low);
  EXPECT_GT(interval.high, wilson95(4, 10).high);
  EXPECT_GT(interval.low, wilson95(2, 5).low);
  EXPECT_LT(interval.high, wilson95(2, 5).high);
}

TEST(ClusteredShare, is_never_narrower_than_that_of_independent_items) {
  // Each report has the same share: less spread than chance gives.
  const std::vector<ClusterCount> clusters(10, {.hits = 2, .items = 5});
  EXPECT_EQ(clustered_share95(clusters).low, wilson95(20, 50).low);
  EXPECT_EQ(clustered_share95(clusters).high, wilson95(20, 50).high);
}

TEST(ClusteredShare, is_that_of_independent_items_where_nothing_varies) {
  const std::vector<ClusterCount> none(4, {.hits = 0, .items = 3});
  EXPECT_EQ(clustered_share95(none).low, 0);
  EXPECT_EQ(clustered_share95(none).high, wilson95(0, 12).high);
  const std::vector<ClusterCount> one{{.hits = 1, .items = 3}};
  EXPECT_EQ(clustered_share95(one).high, wilson95(1, 3).high);
}

}  // namespace
}  // namespace fiducial
