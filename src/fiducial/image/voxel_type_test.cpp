#include "fiducial/image/voxel_type.h"

#include <gtest/gtest.h>

#include "fiducial/image/nifti_example.h"

namespace fiducial {
namespace {

TEST(VoxelType, knows_the_codes_of_the_standard) {
  EXPECT_EQ(voxel_type(2), VoxelType::uint8);
  EXPECT_EQ(voxel_type(2304), VoxelType::rgba32);
  for (const std::int64_t code : {0, 1, 3, -2, 255, 65538}) EXPECT_EQ(voxel_type(code), std::nullopt) << code;
}

TEST(VoxelType, has_the_size_of_its_counterpart) {
  for (const VoxelType type : label_types) {
    const auto size =
        with_voxel_type(type, [](auto zero) { return static_cast<std::int64_t>(sizeof(zero)); });
    EXPECT_EQ(size_bytes(type), size) << to_string(type);
    EXPECT_EQ(scalar_bytes(type), size) << to_string(type);
  }
}

TEST(VoxelType, swaps_compound_voxels_in_their_pieces) {
  EXPECT_EQ(size_bytes(VoxelType::complex64), 8);
  EXPECT_EQ(scalar_bytes(VoxelType::complex64), 4);
  EXPECT_EQ(size_bytes(VoxelType::rgb24), 3);
  EXPECT_EQ(scalar_bytes(VoxelType::rgb24), 1);
  EXPECT_EQ(size_bytes(VoxelType::complex256), 32);
  EXPECT_EQ(scalar_bytes(VoxelType::complex256), 16);
}

TEST(VoxelType, is_an_integer_a_real_or_neither) {
  for (const VoxelType type : label_types) EXPECT_NE(is_integer(type), is_real(type));
  for (const VoxelType type :
       {VoxelType::rgb24, VoxelType::rgba32, VoxelType::complex64, VoxelType::float128}) {
    EXPECT_FALSE(is_integer(type) || is_real(type));
  }
}

}  // namespace
}  // namespace fiducial
