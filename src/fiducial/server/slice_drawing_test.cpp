#include "fiducial/server/slice_drawing.h"

#include <gtest/gtest.h>

#include "fiducial/geometry/orientation.h"

namespace fiducial {
namespace {

// A grid of 3 x 4 x 5 voxels whose axes point where the code says.
Grid grid_towards(const std::string& code) {
  Grid out{.extent = {3, 4, 5}, .affine = {}};
  out.affine.m = {};
  for (std::size_t axis = 0; axis < 3; ++axis) {
    const std::size_t patient = std::string("RASLPI").find(code[axis]);
    out.affine.m.at(patient % 3).at(axis) = patient < 3 ? 2 : -2;
  }
  return out;
}

// Where the patient's world goes from one voxel to another.
Vec3 step(const Grid& grid, std::array<std::int64_t, 3> from, std::array<std::int64_t, 3> to) {
  const auto place = [&grid](std::array<std::int64_t, 3> voxel) {
    return grid.affine.apply(
        {static_cast<double>(voxel[0]), static_cast<double>(voxel[1]), static_cast<double>(voxel[2])});
  };
  const Vec3 a = place(from);
  const Vec3 b = place(to);
  return {b[0] - a[0], b[1] - a[1], b[2] - a[2]};
}

TEST(PlaneView, lays_every_orientation_as_radiologists_look_at_it) {
  const Vec3 left{-2, 0, 0};
  const Vec3 posterior{0, -2, 0};
  const Vec3 inferior{0, 0, -2};
  for (const char* code : {"LPS", "RAS", "PIR", "SAL", "IRP", "ASR", "LIP", "RSA"}) {
    const Grid grid = grid_towards(code);
    ASSERT_EQ(OrientationCode::of(grid.affine).text(), code);
    for (const auto& [plane, right, down] :
         {std::tuple("axial", left, posterior), std::tuple("coronal", left, inferior),
          std::tuple("sagittal", posterior, inferior)}) {
      const PlaneView view = PlaneView::of(grid, plane);
      EXPECT_EQ(step(grid, view.voxel(0, 0, 1), view.voxel(1, 0, 1)), right) << code << plane;
      EXPECT_EQ(step(grid, view.voxel(0, 0, 1), view.voxel(0, 1, 1)), down) << code << plane;
      EXPECT_EQ(view.columns() * view.rows() * grid.extent[view.slice_axis], grid.extent.count());
    }
  }
}

TEST(PlaneView, takes_an_array_without_a_place_for_one_towards_left_posterior_and_superior) {
  Grid grid{.extent = {3, 4, 5}, .affine = {}};
  grid.affine.m = {};
  const PlaneView view = PlaneView::of(grid, "coronal");
  EXPECT_EQ(view.voxel(0, 0, 2), (std::array<std::int64_t, 3>{0, 2, 4}));
}

TEST(DrawMasks, fills_thinly_and_outlines_solidly) {
  const Grid grid{.extent = {5, 5, 1}, .affine = {}};
  Picture picture{.width = 5, .height = 5, .channels = 3, .values = std::vector<std::uint8_t>(75, 100)};
  const LabelMap square(grid, {{1, 1, 4, 1}, {2, 1, 4, 1}, {3, 1, 4, 1}});
  const PlaneView view = PlaneView::of(grid_towards("LPS"), "axial");
  PlaneView flat = view;
  flat.extent = grid.extent;
  draw_masks(picture, flat, 0, {{&square, {200, 0, 50}}}, MaskDrawing::fill);
  const auto pixel = [&picture](std::size_t x, std::size_t y) { return picture.values[3 * (5 * y + x)]; };
  EXPECT_EQ(pixel(0, 0), 100);
  EXPECT_EQ(pixel(1, 1), 200);
  EXPECT_EQ(pixel(2, 2), 112);
}

TEST(DrawMasks, tells_what_is_in_both_masks_from_what_is_missed_and_extra) {
  const Grid grid{.extent = {3, 1, 1}, .affine = {}};
  Picture picture{.width = 3, .height = 1, .channels = 3, .values = std::vector<std::uint8_t>(9)};
  const LabelMap reference(grid, {{0, 0, 2, 1}});
  const LabelMap prediction(grid, {{0, 1, 3, 1}});
  PlaneView view;
  view.extent = grid.extent;
  draw_masks(picture, view, 0, {{&reference, {}}, {&prediction, {}}}, MaskDrawing::difference);
  const std::vector<std::uint8_t> expected = {0x56, 0xB4, 0xE9, 0xF0, 0xF0, 0xF0, 0xE6, 0x9F, 0x00};
  EXPECT_EQ(picture.values, expected);
}

}  // namespace
}  // namespace fiducial
