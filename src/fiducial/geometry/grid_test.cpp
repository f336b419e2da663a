#include "fiducial/geometry/grid.h"

#include <gtest/gtest.h>

namespace fiducial {
namespace {

const Grid grid{{512, 512, 300}, Affine::scaling({0.7, 0.7, 1.5}, {-180, -180, 40})};

TEST(Extent, counts_voxels_rows_and_reads_as_text) {
  const Extent extent{4, 3, 2};
  EXPECT_EQ(extent.count(), 24);
  EXPECT_EQ(extent.rows(), 6);
  EXPECT_EQ(extent[0], 4);
  EXPECT_EQ(extent[1], 3);
  EXPECT_EQ(extent[2], 2);
  EXPECT_EQ(extent.text(), "4 x 3 x 2");
}

TEST(SameGrid, holds_for_a_grid_and_itself) { EXPECT_TRUE(same_grid(grid, grid, 0)); }

TEST(SameGrid, tolerates_the_rounding_of_header_text) {
  Grid rounded = grid;
  rounded.affine.m[0][0] += 1e-6;
  EXPECT_TRUE(same_grid(grid, rounded));
  EXPECT_FALSE(same_grid(grid, rounded, 1e-6));
}

TEST(SameGrid, sees_a_spacing_error_that_only_the_far_corner_shows) {
  Grid stretched = grid;
  stretched.affine.m[2][2] += 0.001;
  EXPECT_NEAR(largest_corner_distance_mm(grid, stretched), 0.299, 1e-9);
  EXPECT_FALSE(same_grid(grid, stretched));
}

TEST(SameGrid, fails_for_other_extents) {
  Grid shorter = grid;
  shorter.extent.z = 299;
  EXPECT_FALSE(same_grid(grid, shorter, 1e9));
}

TEST(SameGrid, fails_for_a_shift_beyond_the_tolerance) {
  Grid shifted = grid;
  shifted.affine.m[1][3] += 0.02;
  EXPECT_FALSE(same_grid(grid, shifted));
  EXPECT_TRUE(same_grid(grid, shifted, 0.03));
}

TEST(SameGrid, fails_for_a_flip_with_the_same_spacing) {
  Grid flipped = grid;
  flipped.affine.m[0][0] = -0.7;
  EXPECT_FALSE(same_grid(grid, flipped));
}

}  // namespace
}  // namespace fiducial
