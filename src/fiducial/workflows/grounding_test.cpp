#include "fiducial/workflows/grounding.h"

#include <algorithm>

#include <gtest/gtest.h>

namespace fiducial {
namespace {

// 10 x 8 x 20 voxels that run to the left, back and head; axial slices 5 and 9 from the head are shown.
const Grid lps_grid{{10, 8, 20}, Affine::scaling({-1, -1, 2})};

ShownCase shown_slices(const std::vector<std::int64_t>& slices) {
  ShownCase out;
  const PlaneAxes axes = PlaneAxes::of(lps_grid, ViewPlane::axial);
  for (const std::int64_t slice : slices) {
    out.images.push_back({.number = out.images.size() + 1});
    out.images.back().frames.push_back({.axes = axes, .slice = slice, .columns = 10, .rows = 8});
  }
  return out;
}

Json boxes_json(const std::string& boxes, const std::string& regions = "") {
  return *parse_json(R"({"regions": [)" + regions + R"(], "boxes": [)" + boxes + "]}");
}

TEST(Grounding, covers_voxels_under_a_box_half_way_to_the_next_slices) {
  const ShownCase shown = shown_slices({5, 9});
  const CaseMasks organs(lps_grid);
  Grounding grounding(shown, lps_grid, organs);
  const Mask mask =
      grounding.mask_of(boxes_json(R"({"image": 1, "left": 100, "top": 0, "right": 300, "bottom": 500})"));
  // Columns 1 and 2, rows 0 to 3; slices 3 to 6 from the head are indices 16 to 13.
  EXPECT_EQ(mask.bounds(), (VoxelBox{{1, 0, 13}, {3, 4, 17}}));
  EXPECT_EQ(mask.count(), 2 * 4 * 4);
  EXPECT_TRUE(grounding.left_out().empty());
}

TEST(Grounding, covers_one_slice_where_a_single_one_is_shown) {
  const ShownCase shown = shown_slices({5});
  const CaseMasks organs(lps_grid);
  const Mask mask =
      Grounding(shown, lps_grid, organs)
          .mask_of(boxes_json(R"({"image": 1, "left": 0, "top": 0, "right": 1000, "bottom": 1000})"));
  EXPECT_EQ(mask.bounds(), (VoxelBox{{0, 0, 14}, {10, 8, 15}}));
}

TEST(Grounding, takes_what_lies_in_boxes_and_in_regions) {
  const ShownCase shown = shown_slices({5});
  CaseMasks organs(lps_grid);
  std::vector<std::uint8_t> voxels(1600, 0);
  std::fill(voxels.begin() + 14 * 80, voxels.begin() + 14 * 80 + 15, std::uint8_t{1});
  organs.add({.name = "left lung",
              .status = MaskStatus::present,
              .source = "mask",
              .mask = Mask::from_dense(lps_grid, voxels)});
  Grounding grounding(shown, lps_grid, organs);
  const std::string all = R"({"image": 1, "left": 0, "top": 0, "right": 1000, "bottom": 125})";
  EXPECT_EQ(grounding.mask_of(boxes_json(all, R"("left lung")")).count(), 10);
  EXPECT_EQ(grounding.mask_of(boxes_json("", R"("left lung")")).count(), 15);
  EXPECT_TRUE(grounding.mask_of(boxes_json("")).empty());
  EXPECT_EQ(grounding.mask_of(boxes_json(all, R"("the moon")")).count(), 10);
  EXPECT_EQ(grounding.left_out(), (std::vector<std::string>{"the region the moon, which has no mask"}));
}

TEST(Grounding, names_what_it_leaves_out) {
  const ShownCase shown = shown_slices({5});
  const CaseMasks organs(lps_grid);
  Grounding grounding(shown, lps_grid, organs);
  const Mask mask =
      grounding.mask_of(boxes_json(R"({"image": 7, "left": 0, "top": 0, "right": 9, "bottom": 9},
    {"image": 1, "left": 500, "top": 0, "right": 400, "bottom": 9})",
                                   R"("heart")"));
  EXPECT_TRUE(mask.empty());
  ASSERT_EQ(grounding.left_out().size(), 3U);
  EXPECT_EQ(grounding.left_out()[0], "a box in Image 7, which was not shown");
  EXPECT_EQ(grounding.left_out()[1], "a box without an inside in Image 1");
}

}  // namespace
}  // namespace fiducial
