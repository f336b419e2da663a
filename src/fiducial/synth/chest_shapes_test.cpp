#include "fiducial/synth/chest_shapes.h"

#include <gtest/gtest.h>

namespace fiducial {
namespace {

TEST(Tube, measures_the_distance_to_its_wall) {
  const Tube tube{{0, 0, 0}, {0, 0, 10}, 2, 4};
  EXPECT_DOUBLE_EQ(tube.distance({5, 0, 5}), 2);
  EXPECT_DOUBLE_EQ(tube.distance({0, 0, 5}), -3);
  EXPECT_DOUBLE_EQ(tube.distance({0, 0, 20}), 6);
  EXPECT_DOUBLE_EQ(tube.largest_radius(), 4);
}

TEST(Oval, is_zero_on_its_outline_and_negative_inside) {
  const Oval oval{.centre_y = 5, .half_width = 100, .half_depth = 60};
  EXPECT_DOUBLE_EQ(oval.distance(100, 5), 0);
  EXPECT_DOUBLE_EQ(oval.distance(0, 65), 0);
  EXPECT_DOUBLE_EQ(oval.distance(110, 5), 10);
  EXPECT_LT(oval.distance(0, 5), 0);
  EXPECT_LT(oval.distance(70, 50), oval.distance(80, 58));
}

TEST(Ellipsoid, has_level_one_on_its_surface) {
  const Ellipsoid ellipsoid{
      .centre = {1, 2, 3}, .axes = {{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}}, .radii = {4, 5, 6}};
  EXPECT_DOUBLE_EQ(ellipsoid.level({5, 2, 3}), 1);
  EXPECT_DOUBLE_EQ(ellipsoid.level({1, 2, 9}), 1);
  EXPECT_DOUBLE_EQ(ellipsoid.level({1, 2, 3}), 0);
}

TEST(Bump, falls_from_one_to_zero) {
  EXPECT_DOUBLE_EQ(bump(0), 1);
  EXPECT_DOUBLE_EQ(bump(1), 0);
  EXPECT_DOUBLE_EQ(bump(-3), 0);
  EXPECT_GT(bump(0.3), bump(0.6));
}

}  // namespace
}  // namespace fiducial
