#include "fiducial/dicom/series_grid.h"

#include <cmath>

#include <gtest/gtest.h>

#include "fiducial/base/number_text.h"

namespace fiducial {
namespace {

// Axial slices 2 mm apart from z = 10 on.
struct Series {
  explicit Series(std::size_t count) {
    for (std::size_t i = 0; i < count; ++i) {
      files.push_back("folder/s" + decimal(i));
      slices.push_back({.file = i,
                        .columns = 4,
                        .rows = 3,
                        .position_mm = {1, 2, 10 + 2 * static_cast<double>(i)},
                        .row_direction = {1, 0, 0},
                        .column_direction = {0, 1, 0},
                        .column_spacing_mm = 0.5,
                        .row_spacing_mm = 0.75});
    }
  }

  Result<SeriesGrid> grid() const { return make_series_grid(slices, files); }
  std::string error() const {
    const auto made = grid();
    return made.ok() ? "" : made.error().text();
  }

  std::vector<std::string> files;
  std::vector<SliceHeader> slices;
};

TEST(SeriesGrid, takes_its_affine_from_the_places_in_ras) {
  const auto made = Series(3).grid();
  ASSERT_TRUE(made.ok());
  EXPECT_EQ(made->grid.extent, (Extent{4, 3, 3}));
  EXPECT_EQ(made->grid.affine, (Affine{{{{-0.5, 0, 0, -1}, {0, -0.75, 0, -2}, {0, 0, 2, 10}}}}));
  EXPECT_TRUE(made->notes.empty());
}

TEST(SeriesGrid, sorts_slices_along_their_normal) {
  Series series(4);
  std::swap(series.slices[0], series.slices[2]);
  std::swap(series.slices[1], series.slices[3]);
  const auto made = series.grid();
  ASSERT_TRUE(made.ok());
  EXPECT_EQ(made->order, (std::vector<std::size_t>{2, 3, 0, 1}));
  EXPECT_EQ(made->grid.affine.m[2][3], 10);
}

TEST(SeriesGrid, stacks_towards_the_normal_of_reversed_rows) {
  Series series(3);
  for (SliceHeader& slice : series.slices) slice.row_direction = {-1, 0, 0};
  const auto made = series.grid();
  ASSERT_TRUE(made.ok());
  EXPECT_EQ(made->order, (std::vector<std::size_t>{2, 1, 0}));
  EXPECT_EQ(made->grid.affine, (Affine{{{{0.5, 0, 0, -1}, {0, -0.75, 0, -2}, {0, 0, -2, 14}}}}));
}

TEST(SeriesGrid, places_every_voxel_of_an_oblique_series_where_its_slice_says) {
  Series series(5);
  const double c = std::cos(0.3);
  const double s = std::sin(0.3);
  for (SliceHeader& slice : series.slices) {
    const auto z = static_cast<double>(slice.file);
    slice.row_direction = {c, s, 0};
    slice.column_direction = {0, 0, -1};
    slice.position_mm = {5 - 3 * s * z, -7 + 3 * c * z, 40};
  }
  const auto made = series.grid();
  ASSERT_TRUE(made.ok());
  for (std::size_t z = 0; z < 5; ++z) {
    const SliceHeader& slice = series.slices[made->order[z]];
    const Vec3 place = made->grid.affine.apply({2, 1, static_cast<double>(z)});
    EXPECT_NEAR(place[0], -(slice.position_mm[0] + c * 2 * 0.5), 1e-12);
    EXPECT_NEAR(place[1], -(slice.position_mm[1] + s * 2 * 0.5), 1e-12);
    EXPECT_NEAR(place[2], slice.position_mm[2] - 0.75, 1e-12);
  }
  EXPECT_GT(made->grid.affine.determinant(), 0);
}

TEST(SeriesGrid, keeps_a_tilt_as_a_shear_with_a_note) {
  Series series(3);
  for (SliceHeader& slice : series.slices) slice.position_mm[1] += 0.5 * static_cast<double>(slice.file);
  const auto made = series.grid();
  ASSERT_TRUE(made.ok());
  EXPECT_EQ(made->grid.affine.m[1][2], -0.5);
  ASSERT_EQ(made->notes.size(), 1U);
  EXPECT_EQ(made->notes[0].code, "dicom_tilted");
}

TEST(SeriesGrid, names_the_place_of_a_missing_slice) {
  Series series(6);
  series.slices.erase(series.slices.begin() + 2, series.slices.begin() + 4);
  EXPECT_EQ(
      series.error(),
      "folder/s4: missing slice: expected the next slice at (1, 2, 14), 2 mm after s1, found 6 mm between "
      "them (2 missing)");
}

TEST(SeriesGrid, finds_a_gap_between_three_slices) {
  Series series(4);
  series.slices.erase(series.slices.begin() + 1);
  EXPECT_NE(series.error().find("missing slice"), std::string::npos);
}

TEST(SeriesGrid, refuses_two_slices_at_one_place) {
  Series series(3);
  series.slices[2].position_mm = series.slices[1].position_mm;
  EXPECT_EQ(series.error(),
            "folder/s2: duplicate slice position: expected one slice at (1, 2, 12) mm, found also s1");
}

TEST(SeriesGrid, notes_small_jitter_and_refuses_large) {
  Series series(5);
  series.slices[2].position_mm[2] += 0.1;
  const auto made = series.grid();
  ASSERT_TRUE(made.ok());
  ASSERT_EQ(made->notes.size(), 1U);
  EXPECT_EQ(made->notes[0].text, "slices lie up to 0.1 mm from equal steps of 2 mm");
  series.slices[2].position_mm[2] += 0.2;
  EXPECT_NE(series.error().find("folder/s2: unevenly spaced"), std::string::npos);
}

TEST(SeriesGrid, refuses_slices_that_move_sideways) {
  Series series(5);
  series.slices[3].position_mm[0] += 1;
  EXPECT_NE(series.error().find("folder/s3: unevenly spaced"), std::string::npos);
}

TEST(SeriesGrid, refuses_slices_of_two_frames_of_reference) {
  Series series(2);
  series.slices[1].frame_of_reference = "1.2";
  EXPECT_NE(series.error().find("folder/s1: mixed frames of reference"), std::string::npos);
}

TEST(SeriesGrid, takes_the_stated_thickness_of_a_single_slice) {
  Series series(1);
  EXPECT_NE(series.error().find("its extent is not known"), std::string::npos);
  series.slices[0].stated_step_mm = 3;
  const auto made = series.grid();
  ASSERT_TRUE(made.ok());
  EXPECT_EQ(made->grid.affine.m[2][2], 3);
  ASSERT_EQ(made->notes.size(), 1U);
}

TEST(SeriesGrid, names_the_frame_of_a_file_of_several) {
  Series series(2);
  for (SliceHeader& slice : series.slices) slice.frames = 2;
  series.slices[1].file = 0;
  series.slices[1].frame = 1;
  series.slices[1].rows = 9;
  EXPECT_EQ(series.error().substr(0, 19), "folder/s0, frame 2:");
}

}  // namespace
}  // namespace fiducial
