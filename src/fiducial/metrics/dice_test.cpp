#include <gtest/gtest.h>

#include "fiducial/metrics/dice_formula.h"
#include "fiducial/metrics/finding_example.h"

namespace fiducial {
namespace {

constexpr Extent dice_slab{40, 6, 2};

LabelMap nothing() { return LabelMap(Grid{dice_slab, {}}); }

double value(const char* id, const LabelMap& reference, const LabelMap& prediction) {
  return score_of(id, FindingPair(reference, prediction, {})).value();
}

TEST(Dice, is_twice_the_shared_part_of_the_sum) {
  const LabelMap reference = Drawing(dice_slab).row(0, 12).map();
  const LabelMap prediction = Drawing(dice_slab).row(4, 20).map();
  EXPECT_EQ(value("dice", reference, prediction), 16.0 / 32.0);
  EXPECT_EQ(value("iou", reference, prediction), 8.0 / 24.0);
}

TEST(Dice, does_not_depend_on_which_mask_is_the_reference) {
  Random random(5, "symmetry");
  for (int round = 0; round < 100; ++round) {
    const LabelMap a = random_labels(random, dice_slab, 4);
    const LabelMap b = random_labels(random, dice_slab, 4);
    for (const char* id : {"dice", "iou", "hit10", "hit5", "dice_rexrank_raw", "hit10_rexrank_raw"}) {
      EXPECT_EQ(value(id, a, b), value(id, b, a)) << id;
    }
  }
}

TEST(Dice, sees_foreground_whatever_its_label) {
  const LabelMap reference = Drawing(dice_slab).row(0, 6, 0, 3).row(6, 6, 0, 250).map();
  const LabelMap prediction = Drawing(dice_slab).row(0, 12, 0, 77).map();
  EXPECT_EQ(value("dice", reference, prediction), 1);
  EXPECT_EQ(value("dice_rexrank_raw", reference, prediction), 1);
}

TEST(Dice, is_one_for_a_single_voxel_that_agrees) {
  const LabelMap voxel = Drawing(dice_slab).row(5, 1).map();
  EXPECT_EQ(value("dice", voxel, voxel), 1);
  EXPECT_EQ(value("iou", voxel, voxel), 1);
  EXPECT_EQ(value("dice_rexrank_raw", voxel, voxel), 1);
}

TEST(Dice, drops_a_component_of_9_voxels_and_keeps_one_of_10_when_filtered) {
  const LabelMap nine = Drawing(dice_slab).row(0, 9).map();
  const LabelMap ten = Drawing(dice_slab).row(0, 10).map();
  EXPECT_EQ(value("dice", nine, nine), 1);
  EXPECT_EQ(value("dice_filtered", nine, nine), 0);
  EXPECT_EQ(value("dice_filtered", ten, ten), 1);
  EXPECT_EQ(value("dice_rexrank_filtered", nine, nine), 1e-6 / (9 + 1e-6));
  EXPECT_EQ(value("dice_rexrank_filtered", ten, ten), 1);
  EXPECT_EQ(value("dice_rexrank_raw", nine, nine), 1);
}

TEST(Dice, filters_the_prediction_but_never_the_reference) {
  const LabelMap nine = Drawing(dice_slab).row(0, 9).map();
  const LabelMap ten = Drawing(dice_slab).row(0, 10).map();
  EXPECT_EQ(value("dice_filtered", nine, ten), 18.0 / 19.0);
}

TEST(RexrankDice, is_not_zero_for_a_complete_miss) {
  // The published example: 12,237 voxels that share nothing.
  EXPECT_EQ(rexrank_dice({12000, 237, 0}), 1e-6 / (12237 + 1e-6));
  EXPECT_NEAR(rexrank_dice({12000, 237, 0}), 8.1719e-11, 1e-15);
  EXPECT_EQ(exact_dice({12000, 237, 0}), 0);
}

TEST(RexrankDice, of_an_empty_side_is_the_epsilon_over_the_other) {
  const LabelMap ten = Drawing(dice_slab).row(0, 10).map();
  EXPECT_EQ(value("dice_rexrank_filtered", ten, nothing()), 1e-6 / (10 + 1e-6));
  EXPECT_EQ(value("dice_rexrank_filtered", nothing(), ten), 1e-6 / (10 + 1e-6));
  EXPECT_EQ(value("dice_rexrank_filtered", nothing(), nothing()), 1);
}

TEST(RexrankDice, keeps_the_order_of_the_published_expression) {
  EXPECT_EQ(rexrank_dice({3, 4, 2}), (2.0 * 2 + 1e-6) / (7 + 1e-6));
  EXPECT_EQ(rexrank_dice({377593, 377366, 367830}), 0.9744370224078732);
  EXPECT_EQ(rexrank_dice({424214, 425135, 413278}), 0.9731641527805729);
}

TEST(F1, is_evaluated_from_precision_and_recall_in_that_order) {
  EXPECT_EQ(f1_of(1, 0), 0);
  EXPECT_EQ(f1_of(0, 0), 0);
  EXPECT_EQ(f1_of(223.0 / 7223.0, 223.0 / 2197.0), 0.04734607218683652);
  EXPECT_EQ(f1_of(343.0 / 2510.0, 343.0 / 700.0), 0.21370716510903429);
  EXPECT_EQ(f1_of(1, 1.0 / 22), 0.08695652173913045);
}

}  // namespace
}  // namespace fiducial
