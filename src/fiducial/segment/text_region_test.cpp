#include "fiducial/segment/text_region.h"

#include <gtest/gtest.h>

namespace fiducial {
namespace {

// Two lungs of 20 x 20 x 20 voxels, each with a dense block of 10 in it: the left one at x 20 .. 39.
struct ToyLungs {
  Grid grid{{40, 20, 20}, Affine::scaling({1, 1, 1}, {5, 5, 5})};
  FloatVolume hu{.extent = {40, 20, 20}, .values = std::vector<float>(16000, -850)};
  CaseMasks masks{Grid{{40, 20, 20}, Affine::scaling({1, 1, 1}, {5, 5, 5})}};

  ToyLungs() {
    std::vector<MaskRun> left;
    std::vector<MaskRun> right;
    for (std::int32_t row = 0; row < 400; ++row) {
      right.push_back({row, 0, 20});
      left.push_back({row, 20, 40});
    }
    add("left lung", std::move(left));
    add("right lung", std::move(right));
    for (const std::size_t corner : {5U, 27U}) {
      for (std::size_t i = 0; i < 1000; ++i) {
        hu.values[corner + i % 10 + 40 * (5 + i / 10 % 10 + 20 * (5 + i / 100))] = 20;
      }
    }
  }

  void add(const std::string& name, std::vector<MaskRun> runs) {
    masks.add({.name = name,
               .status = MaskStatus::present,
               .source = "mask",
               .mask = Mask::from_sorted_runs(grid, std::move(runs))});
  }
};

TEST(TextRegion, follows_the_side_of_the_sentence) {
  const ToyLungs toy;
  TextRegionPredictor predictor;
  const TextRegion left = predictor.predict("Consolidation in the left lung.", toy.hu, toy.masks);
  EXPECT_GT(left.mask.count(), 700);
  EXPECT_EQ(left.mask.bounds().low[0], 27);
  const TextRegion right = predictor.predict("Consolidation in the right lung.", toy.hu, toy.masks);
  EXPECT_EQ(right.mask.bounds().low[0], 5);
  EXPECT_EQ(predictor.predict("Consolidation in both lungs.", toy.hu, toy.masks).mask.count(),
            2 * left.mask.count());
}

TEST(TextRegion, looks_for_effusion_around_the_lung_of_its_side_and_outside_organs) {
  const Grid grid{{80, 10, 10}, Affine::scaling({1, 1, 1}, {5, 5, 5})};
  CaseMasks masks(grid);
  const auto add = [&](const char* name, std::int32_t begin, std::int32_t end) {
    std::vector<MaskRun> runs;
    for (std::int32_t row = 0; row < 100; ++row) runs.push_back({row, begin, end});
    masks.add({.name = name, .status = MaskStatus::present, .mask = Mask::from_sorted_runs(grid, runs)});
  };
  add("right lung", 10, 25);
  add("left lung", 60, 75);
  add("liver", 0, 10);
  const FloatVolume water{.extent = grid.extent, .values = std::vector<float>(8000, 10)};
  TextRegionPredictor predictor;
  const TextRegion left = predictor.predict("Left pleural effusion.", water, masks);
  EXPECT_GE(left.mask.bounds().low[0], 35);
  const TextRegion right = predictor.predict("Right pleural effusion.", water, masks);
  EXPECT_EQ(right.mask.bounds().low[0], 25);
  EXPECT_LE(right.mask.bounds().high[0], 50);
  EXPECT_EQ(predictor.predict("Bilateral pleural effusion.", water, masks).mask.count(), 4000);
}

TEST(TextRegion, says_why_it_guesses_nothing) {
  const ToyLungs toy;
  TextRegionPredictor predictor;
  EXPECT_EQ(predictor.predict("Good quality.", toy.hu, toy.masks).reason, "the sentence names no place");
  EXPECT_EQ(predictor.predict("Cyst in the liver.", toy.hu, toy.masks).reason,
            "no mask of the place it names");
  const TextRegion none = predictor.predict("Ground-glass opacity in the left lung.", toy.hu, toy.masks);
  EXPECT_TRUE(none.mask.empty());
  EXPECT_EQ(none.finding, "ground glass");
}

}  // namespace
}  // namespace fiducial
