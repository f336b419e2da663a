#include "fiducial/image/channel_order.h"

#include <gtest/gtest.h>

namespace fiducial {
namespace {

NiftiImage counting_image(VoxelType type) {
  NiftiHeader header;
  header.dim = {4, 2, 3, 4, 5, 1, 1, 1};
  header.type = type;
  header.set_affine(Affine::scaling({0.5, 0.75, 2}));
  NiftiImage image = NiftiImage::make(header);
  for (std::size_t i = 0; i < image.bytes().size(); ++i) image.bytes()[i] = static_cast<std::byte>(i % 251);
  return image;
}

TEST(ChannelOrder, comes_back_when_moved_to_and_fro) {
  for (const VoxelType type : {VoxelType::uint8, VoxelType::int16, VoxelType::float64}) {
    const NiftiImage image = counting_image(type);
    const NiftiImage back = *channels_moved_first(*channels_moved_last(image));
    EXPECT_EQ(back.header().dim, image.header().dim);
    EXPECT_TRUE(std::equal(back.bytes().begin(), back.bytes().end(), image.bytes().begin()));
  }
}

TEST(ChannelOrder, puts_each_channel_into_a_volume_of_its_own) {
  const NiftiImage image = counting_image(VoxelType::uint8);
  const NiftiImage moved = *channels_moved_last(image);
  EXPECT_EQ(moved.header().shape_text(), "3 x 4 x 5 x 2");
  for (std::size_t voxel = 0; voxel < 60; ++voxel) {
    for (std::size_t channel = 0; channel < 2; ++channel) {
      EXPECT_EQ(moved.bytes()[channel * 60 + voxel], image.bytes()[voxel * 2 + channel]);
    }
  }
}

TEST(ChannelOrder, keeps_the_affine_of_the_spatial_axes) {
  const NiftiImage image = counting_image(VoxelType::uint8);
  EXPECT_EQ(channels_moved_last(image)->header().affine, image.header().affine);
}

TEST(ChannelOrder, refuses_an_image_without_a_channel_axis) {
  NiftiHeader header;
  header.dim = {3, 2, 3, 4, 1, 1, 1, 1};
  const Result<NiftiImage> moved = channels_moved_last(NiftiImage::make(header));
  ASSERT_FALSE(moved.ok());
  EXPECT_EQ(moved.error().message(), "array of shape 2 x 3 x 4; a channel axis needs 4 axes");
}

}  // namespace
}  // namespace fiducial
