#include "fiducial/tasks/finding_masks/conformance_mask.h"

#include <gtest/gtest.h>

#include "fiducial/base/temporary_folder.h"
#include "fiducial/image/nifti_file.h"

namespace fiducial {
namespace {

DrawnMask example_masks() { return DrawnMask({5, 4, 3}).box({1, 1, 1}, {3, 2, 1}, 254).set({0, 0, 0}, 1.5); }

TEST(DrawnMask, leaves_out_what_lies_outside) {
  const DrawnMask mask = DrawnMask({3, 3, 3}).box({2, 2, 2}, {5, 5, 5}).set({-1, 0, 0}, 1);
  EXPECT_EQ(mask.labels().count(), 1);
}

TEST(DrawnMask, truncates_and_wraps_its_labels) {
  DrawnMask mask({6, 1, 1});
  const double values[] = {0.9, 1.5, 255, 256, 257, 513};
  for (std::int64_t x = 0; x < 6; ++x) mask.set({x, 0, 0}, values[x]);
  EXPECT_EQ(mask.labels().labels(), (std::vector<std::int32_t>{1, 255}));
  EXPECT_EQ(mask.labels().count(), 4);
}

TEST(DrawnMask, draws_a_ball_of_the_voxels_within_its_radius) {
  EXPECT_EQ(DrawnMask({5, 5, 5}).ball({2, 2, 2}, 1).labels().count(), 7);
}

TEST(MaskFile, reads_back_in_every_type_and_byte_order) {
  const TemporaryFolder folder;
  for (const VoxelType type :
       {VoxelType::uint8, VoxelType::int16, VoxelType::int32, VoxelType::float32, VoxelType::float64}) {
    for (const bool big_endian : {false, true}) {
      const Bytes bytes = mask_file({example_masks(), DrawnMask({5, 4, 3})}, {type, big_endian});
      ASSERT_TRUE(write_file(folder / "mask.nii.gz", ByteView(bytes)).ok());
      const auto image = read_nifti(folder / "mask.nii.gz");
      ASSERT_TRUE(image.ok()) << image.error().text();
      EXPECT_EQ(image->header().shape_text(), "2 x 5 x 4 x 3");
      EXPECT_EQ(image->header().type, type);
      const Bytes native = mask_file({example_masks(), DrawnMask({5, 4, 3})}, {type, false});
      ASSERT_TRUE(write_file(folder / "native.nii.gz", ByteView(native)).ok());
      const auto expected = read_nifti(folder / "native.nii.gz");
      EXPECT_TRUE(std::equal(image->bytes().begin(), image->bytes().end(), expected->bytes().begin()));
    }
  }
}

}  // namespace
}  // namespace fiducial
