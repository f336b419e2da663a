#include <gtest/gtest.h>

#include "fiducial/metrics/finding_example.h"

namespace fiducial {
namespace {

constexpr Extent hit_slab{64, 4, 1};

// A prediction of `predicted` voxels of which `shared` lie in a reference of 10.
FindingPair pair_of(std::int64_t shared, std::int64_t predicted) {
  return {Drawing(hit_slab).row(0, 10).map(), Drawing(hit_slab).row(10 - shared, predicted).map(), {}};
}

TEST(Hit, counts_a_dice_of_exactly_a_tenth) {
  const FindingPair pair = pair_of(1, 10);
  EXPECT_EQ(score_of("dice", pair).value(), 0.1);
  for (const char* id : {"hit10", "hit5", "hit10_rexrank_filtered", "hit10_rexrank_raw"}) {
    EXPECT_EQ(score_of(id, pair).value(), 1) << id;
  }
}

TEST(Hit, does_not_count_a_dice_below_a_tenth) {
  const FindingPair pair = pair_of(1, 11);
  EXPECT_EQ(score_of("hit10", pair).value(), 0);
  EXPECT_EQ(score_of("hit10_rexrank_filtered", pair).value(), 0);
  EXPECT_EQ(score_of("hit10_rexrank_raw", pair).value(), 0);
  EXPECT_EQ(score_of("hit5", pair).value(), 1);
}

TEST(Hit, at_5_percent_counts_a_dice_of_exactly_a_twentieth) {
  EXPECT_EQ(score_of("dice", pair_of(1, 30)).value(), 0.05);
  EXPECT_EQ(score_of("hit5", pair_of(1, 30)).value(), 1);
  EXPECT_EQ(score_of("hit5", pair_of(1, 31)).value(), 0);
}

TEST(Hit, of_the_published_scorer_looks_at_the_filtered_prediction_in_full_mode) {
  const FindingPair pair(Drawing(hit_slab).row(0, 9).map(), Drawing(hit_slab).row(0, 9).map(), {});
  EXPECT_EQ(score_of("hit10", pair).value(), 1);
  EXPECT_EQ(score_of("hit10_rexrank_raw", pair).value(), 1);
  EXPECT_EQ(score_of("hit10_rexrank_filtered", pair).value(), 0);
}

TEST(Hit, is_one_when_both_masks_are_empty) {
  const LabelMap nothing(Grid{hit_slab, {}});
  const FindingPair pair(nothing, nothing, {});
  for (const char* id : {"hit10", "hit5", "hit10_rexrank_filtered", "hit10_rexrank_raw"}) {
    EXPECT_EQ(score_of(id, pair).value(), 1) << id;
  }
}

}  // namespace
}  // namespace fiducial
