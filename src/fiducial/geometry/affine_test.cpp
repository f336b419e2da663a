#include "fiducial/geometry/affine.h"

#include <limits>
#include <optional>

#include <gtest/gtest.h>

namespace fiducial {
namespace {

const Affine sheared{{{{2, 1, 0, 10}, {0, 3, 0, 20}, {0, 0, 4, 30}}}};

TEST(Affine, is_the_identity_by_default) {
  EXPECT_TRUE(Affine().is_identity());
  EXPECT_EQ(Affine(), Affine::identity());
  EXPECT_FALSE(Affine::scaling({1, 1, 2}).is_identity());
}

TEST(Affine, maps_voxels_to_millimetres) {
  EXPECT_EQ(sheared.apply({1, 2, 3}), (Vec3{2 + 2 + 10, 6 + 20, 12 + 30}));
  EXPECT_EQ(Affine::scaling({1, 2, 3}, {4, 5, 6}).apply({1, 1, 1}), (Vec3{5, 7, 9}));
}

TEST(Affine, measures_the_voxel_edges) {
  EXPECT_EQ((Affine{{{{0, 3, 0, 0}, {-4, 0, 0, 0}, {3, 0, 2, 0}}}}.spacing_mm()), (Vec3{5, 3, 2}));
}

TEST(Affine, has_the_determinant_of_its_linear_part) {
  EXPECT_EQ(sheared.determinant(), 24);
  EXPECT_EQ(Affine::scaling({-1, 1, 1}).determinant(), -1);
  EXPECT_EQ(Affine::scaling({1, 0, 1}).determinant(), 0);
}

TEST(Affine, is_not_finite_when_any_entry_is_not) {
  EXPECT_TRUE(sheared.finite());
  for (const double bad :
       {std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity()}) {
    for (std::size_t row = 0; row < 3; ++row) {
      for (std::size_t column = 0; column < 4; ++column) {
        Affine affine;
        affine.m[row][column] = bad;
        EXPECT_FALSE(affine.finite());
      }
    }
  }
}

TEST(Affine, is_undone_by_its_inverse) {
  const std::optional<Affine> back = inverse(sheared);
  ASSERT_TRUE(back.has_value());
  const Vec3 place{1, -2, 3};
  const Vec3 again = back->apply(sheared.apply(place));
  const Vec3 both = composed(*back, sheared).apply(place);
  for (std::size_t i = 0; i < 3; ++i) {
    EXPECT_NEAR(again[i], place[i], 1e-12);
    EXPECT_NEAR(both[i], place[i], 1e-12);
  }
  EXPECT_FALSE(inverse(Affine::scaling({1, 0, 1})).has_value());
  EXPECT_FALSE(inverse(Affine::scaling({1e300, 1e300, 1})).has_value());
}

TEST(Affine, applies_the_inner_one_first) {
  const Affine moved = Affine::scaling({1, 1, 1}, {5, 0, 0});
  EXPECT_EQ(composed(moved, sheared).apply({1, 2, 3}), moved.apply(sheared.apply({1, 2, 3})));
}

}  // namespace
}  // namespace fiducial
