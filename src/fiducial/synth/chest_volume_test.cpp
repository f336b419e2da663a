#include "fiducial/synth/chest_volume.h"

#include <gtest/gtest.h>

#include "fiducial/geometry/orientation.h"

namespace fiducial {
namespace {

const ChestFrame frame{
    .extent = {64, 54, 36}, .spacing_mm = {5.5, 5.25, 7.25}, .body_scale = {0.9, 1.1, 1.0}};

TEST(ChestFrame, has_array_axes_towards_left_back_and_head) {
  EXPECT_EQ(OrientationCode::of(frame.affine()).text(), "LPS");
  EXPECT_EQ(frame.affine().spacing_mm(), (Vec3{5.5, 5.25, 7.25}));
  EXPECT_GT(frame.position({63, 0, 0})[0], 0);
  EXPECT_LT(frame.affine().apply({63, 0, 0})[0], 0);
}

TEST(ChestFrame, finds_the_voxel_of_a_position) {
  for (const Voxel& voxel : {Voxel{0, 0, 0}, Voxel{63, 53, 35}, Voxel{20, 30, 10}}) {
    EXPECT_EQ(frame.nearest_voxel(frame.position(voxel)), voxel);
  }
  ChestFrame bent = frame;
  bent.scoliosis_mm = -11;
  for (const Voxel& voxel : {Voxel{0, 0, 0}, Voxel{63, 53, 20}, Voxel{20, 30, 10}}) {
    EXPECT_EQ(bent.nearest_voxel(bent.position(voxel)), voxel);
  }
  EXPECT_FALSE(frame.contains({64, 0, 0}));
  EXPECT_FALSE(frame.contains({0, -1, 0}));
}

}  // namespace
}  // namespace fiducial
