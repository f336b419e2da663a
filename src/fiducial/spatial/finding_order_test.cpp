#include "fiducial/spatial/finding_order.h"

#include <algorithm>
#include <numeric>

#include <gtest/gtest.h>

#include "fiducial/base/random.h"

namespace fiducial {
namespace {

// A run of some voxels in a row of its own place.
LabelMap bar(std::int32_t row, std::int32_t begin, std::int32_t length) {
  return {Grid{{40, 10, 1}, {}}, {LabelRun{row, begin, begin + length, 1}}};
}

std::vector<LabelMap> bars(std::int32_t count) {
  std::vector<LabelMap> out;
  for (std::int32_t i = 0; i < count; ++i) out.push_back(bar(i, 3 * i, 8));
  return out;
}

std::vector<LabelMap> in_order(const std::vector<LabelMap>& maps, const std::vector<std::int32_t>& source) {
  std::vector<LabelMap> out;
  for (const std::int32_t at : source) out.push_back(maps[static_cast<std::size_t>(at)]);
  return out;
}

TEST(FindingOrder, is_found_where_findings_are_reversed) {
  const auto found = probe_finding_order(bars(4), in_order(bars(4), {3, 2, 1, 0}));
  ASSERT_TRUE(found);
  EXPECT_EQ(found->name(), "reversed");
  EXPECT_EQ(found->dice_as_is, 0);
  EXPECT_EQ(found->dice_reordered, 1);
}

TEST(FindingOrder, says_which_finding_of_the_prediction_stands_for_each) {
  const auto found = probe_finding_order(bars(3), in_order(bars(3), {1, 2, 0}));
  ASSERT_TRUE(found);
  EXPECT_EQ(found->name(), "2 0 1");
}

TEST(FindingOrder, is_silent_about_good_predictions_and_hopeless_ones) {
  EXPECT_FALSE(probe_finding_order(bars(4), bars(4)));
  EXPECT_FALSE(probe_finding_order(bars(4), std::vector<LabelMap>(4, bar(9, 0, 5))));
  EXPECT_FALSE(probe_finding_order(bars(1), std::vector<LabelMap>(1, bar(9, 0, 5))));
  EXPECT_FALSE(probe_finding_order(bars(3), bars(2)));
}

TEST(FindingOrder, is_the_best_of_all_orders) {
  Random random(1, "finding order");
  for (int round = 0; round < 100; ++round) {
    std::vector<LabelMap> reference, prediction;
    for (int i = 0; i < 5; ++i) {
      reference.push_back(bar(static_cast<std::int32_t>(random.between(0, 1)),
                              static_cast<std::int32_t>(random.between(0, 20)), 10));
      prediction.push_back(bar(static_cast<std::int32_t>(random.between(0, 1)),
                               static_cast<std::int32_t>(random.between(0, 20)), 10));
    }
    const auto found = probe_finding_order(reference, prediction);
    if (!found) continue;
    std::vector<std::int32_t> source(5);
    std::iota(source.begin(), source.end(), 0);
    double best = 0;
    do {
      double sum = 0;
      for (std::size_t i = 0; i < 5; ++i) {
        const LabelRun& a = reference[i].runs().front();
        const LabelRun& b = prediction[static_cast<std::size_t>(source[i])].runs().front();
        const std::int32_t shared = std::min(a.end, b.end) - std::max(a.begin, b.begin);
        if (a.row == b.row && shared > 0) sum += 2.0 * shared / 20;
      }
      best = std::max(best, sum / 5);
    } while (std::next_permutation(source.begin(), source.end()));
    EXPECT_NEAR(found->dice_reordered, best, 1e-12) << round;
  }
}

}  // namespace
}  // namespace fiducial
