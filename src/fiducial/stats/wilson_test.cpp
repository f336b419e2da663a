#include "fiducial/stats/wilson.h"

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

}  // namespace
}  // namespace fiducial
