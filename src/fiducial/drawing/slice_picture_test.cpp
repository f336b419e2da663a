#include "fiducial/drawing/slice_picture.h"

#include <gtest/gtest.h>

#include "fiducial/drawing/slice_picture_svg.h"
#include "fiducial/geometry/orientation.h"

namespace fiducial {
namespace {

LabelMap labels_on(const Extent& extent, std::vector<LabelRun> runs) {
  return {Grid{extent, {}}, std::move(runs)};
}

// A grid whose array axes point as the letters say, 1 x 2 x 3 mm along R, A and S.
Grid grid_of(const std::string& code, const Extent& ras_extent) {
  const Grid ras{ras_extent, Affine::scaling({1, 2, 3})};
  return reorientation(OrientationCode::parse("RAS").value(), OrientationCode::parse(code).value())
      .apply(ras);
}

TEST(AxialView, shows_the_patients_right_on_the_left_and_anterior_on_top_for_any_array) {
  for (const char* code : {"RAS", "LPS", "LAS", "SRA", "AIL", "PSR"}) {
    const Grid grid = grid_of(code, {5, 6, 7});
    const AxialView view = AxialView::of(grid);
    const auto world = [&](std::int64_t column, std::int64_t row) {
      const auto voxel = view.voxel(column, row, 0);
      return grid.affine.apply(
          {static_cast<double>(voxel[0]), static_cast<double>(voxel[1]), static_cast<double>(voxel[2])});
    };
    EXPECT_EQ(view.columns(), 5) << code;
    EXPECT_EQ(view.rows(), 6) << code;
    EXPECT_GT(world(0, 0)[0], world(4, 0)[0]) << code << ": x grows towards the patient's right";
    EXPECT_GT(world(0, 0)[1], world(0, 5)[1]) << code;
    EXPECT_EQ(view.column_mm, 1) << code;
    EXPECT_EQ(view.row_mm, 2) << code;
    EXPECT_TRUE(view.in_patient);
  }
}

TEST(AxialView, takes_axes_as_stored_where_the_affine_is_singular) {
  Grid grid{{2, 3, 4}, {}};
  grid.affine.m[0][0] = 0;
  EXPECT_FALSE(AxialView::of(grid).in_patient);
}

TEST(FullestSlice, is_that_of_the_reference_and_else_that_of_the_prediction) {
  const Extent extent{4, 2, 3};
  const LabelMap reference = labels_on(extent, {{0, 0, 1, 1}, {3, 0, 3, 1}});
  const LabelMap prediction = labels_on(extent, {{4, 0, 4, 1}});
  const AxialView view = AxialView::as_stored(extent);
  EXPECT_EQ(fullest_slice(reference, prediction, view), 1);
  EXPECT_EQ(fullest_slice(labels_on(extent, {}), prediction, view), 2);
  EXPECT_EQ(fullest_slice(labels_on(extent, {}), labels_on(extent, {}), view), 1);
}

TEST(MaskSlice, agrees_with_the_voxels_under_its_pixels_for_any_array) {
  for (const char* code : {"LPS", "RAS", "SRA", "PSR"}) {
    const Grid grid = grid_of(code, {5, 6, 7});
    const LabelMap labels = labels_on(grid.extent, {{1, 1, 3, 1}, {4, 0, 2, 2}, {9, 2, 4, 1}});
    const std::vector<std::uint8_t> dense = labels.foreground().dense();
    const AxialView view = AxialView::of(grid);
    for (std::int64_t slice = 0; slice < 7; ++slice) {
      const Raster raster = mask_slice(labels, view, slice);
      for (std::int64_t row = 0; row < raster.height; ++row) {
        for (std::int64_t column = 0; column < raster.width; ++column) {
          const auto [x, y, z] = view.voxel(column, row, slice);
          const auto at = static_cast<std::size_t>(x + grid.extent.x * (y + grid.extent.y * z));
          EXPECT_EQ(raster.at(column, row) != 0, dense[at] != 0) << code;
        }
      }
    }
  }
}

TEST(WindowedSlice, takes_every_pixel_from_its_voxel) {
  const Grid grid = grid_of("PSR", {5, 6, 7});
  const AxialView view = AxialView::of(grid);
  ASSERT_EQ(view.slice_axis, 1);
  VolumePlane plane{{1, 2}, grid.extent.x, grid.extent.z, {}};
  for (int i = 0; i < 30; ++i) plane.values.push_back(static_cast<float>(i));
  const Raster raster = windowed_slice(plane, view, {"all", 15, 30});
  const auto voxel = view.voxel(3, 1, 2);
  const auto at = static_cast<std::size_t>(voxel[2] * plane.width + voxel[0]);
  EXPECT_EQ(raster.at(3, 1), (IntensityWindow{"all", 15, 30}.grey(plane.values[at])));
}

TEST(Crop, is_a_square_in_millimetres_that_holds_the_finding) {
  AxialView view = AxialView::as_stored({400, 200, 1});
  view.column_mm = 1;
  view.row_mm = 2;
  Raster inside = Raster::make(400, 200);
  inside.at(390, 100) = 1;
  const PixelBox box = crop_around(inside, view);
  EXPECT_EQ(box.width(), 80);
  EXPECT_EQ(box.height(), 40);
  EXPECT_EQ(box.right, 400);
  EXPECT_LE(box.top, 100);
  EXPECT_GT(box.bottom, 100);
}

TEST(Crop, fits_pictures_smaller_than_itself) {
  const AxialView view = AxialView::as_stored({9, 5, 1});
  EXPECT_EQ(crop_around(Raster::make(9, 5), view).height(), 5);
}

TEST(Shrunk, averages_whole_blocks) {
  const Raster picture{4, 2, {0, 2, 10, 20, 4, 6, 30, 40}};
  EXPECT_EQ(shrunk(picture, 2), (Raster{2, 1, {3, 25}}));
  EXPECT_EQ(shrunk(picture, 4), picture);
}

TEST(Paths, draw_edges_once_and_areas_row_by_row) {
  const Raster inside{3, 2, {0, 1, 1, 0, 1, 0}};
  const PixelBox whole{0, 0, 3, 2};
  EXPECT_EQ(filled_path(inside, whole), "M1 0h2v1h-2zM1 1h1v1h-1z");
  EXPECT_EQ(outline_path(inside, whole), "M1 0h2M2 1h1M1 2h1M1 0v2M2 1v1M3 0v1");
}

TEST(SliceStrip, leads_from_one_end_of_the_reference_to_the_other) {
  const Extent extent{4, 4, 20};
  const AxialView view = AxialView::as_stored(extent);
  const LabelMap reference = labels_on(extent, {{4 * 5, 0, 1, 1}, {4 * 12, 0, 1, 1}});
  const LabelMap prediction = labels_on(extent, {{0, 0, 1, 1}});
  const LabelMap empty = labels_on(extent, {});
  using Slices = std::vector<std::int64_t>;
  EXPECT_EQ(spread_slices(reference, prediction, view, 4), (Slices{4, 7, 10, 13}));
  EXPECT_EQ(spread_slices(reference, prediction, view, 99), (Slices{4, 5, 6, 7, 8, 9, 10, 11, 12, 13}));
  EXPECT_EQ(spread_slices(empty, prediction, view, 7), (Slices{0, 1}));
  EXPECT_EQ(spread_slices(reference, empty, view, 1), (Slices{8}));
  EXPECT_TRUE(spread_slices(empty, empty, view, 7).empty());
}

}  // namespace
}  // namespace fiducial
