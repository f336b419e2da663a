#include "fiducial/masks/mask_file.h"

#include <gtest/gtest.h>

#include "fiducial/image/nifti_example.h"

namespace fiducial {
namespace {

using Shape = std::vector<std::int64_t>;

const ChannelShape expected_shape{2, {5, 4, 3}};

StoredFile stored(Bytes bytes) {
  const std::uint64_t size = bytes.size();
  return {std::make_unique<OwnedStream>(std::move(bytes)), size};
}

Bytes file_of(const Shape& shape, VoxelType type = VoxelType::uint8) {
  std::int64_t count = 1;
  for (const std::int64_t size : shape) count *= size;
  std::vector<double> values(static_cast<std::size_t>(count));
  values[3] = 1;
  return example_file(example_header(shape, type), values);
}

std::string refusal(const Shape& shape) {
  const MaskRead read = read_mask_file(stored(file_of(shape)), expected_shape);
  EXPECT_FALSE(read.mask.ok());
  EXPECT_TRUE(read.digest) << "the bytes were read all the same";
  return read.mask.ok() ? "" : read.mask.error().text();
}

TEST(MaskFile, is_read_with_channels_first) {
  const Bytes bytes = file_of({2, 5, 4, 3}, VoxelType::int16);
  const MaskRead read = read_mask_file(stored(bytes), expected_shape);
  ASSERT_TRUE(read.mask.ok()) << read.mask.error().text();
  EXPECT_EQ(read.mask->shape, expected_shape);
  ASSERT_EQ(read.mask->channels.size(), 2U);
  EXPECT_TRUE(read.mask->channels[0].empty());
  // Element 3 of the file is channel 1 of voxel (1, 0, 0).
  EXPECT_EQ(read.mask->channels[1].runs()[0], (LabelRun{0, 1, 2, 1}));
  EXPECT_EQ(read.digest, sha256(bytes));
}

TEST(MaskFile, of_three_axes_is_one_finding) {
  const MaskRead read = read_mask_file(stored(file_of({5, 4, 3})), ChannelShape{1, {5, 4, 3}});
  ASSERT_TRUE(read.mask.ok());
  EXPECT_EQ(read.mask->channels.size(), 1U);
}

TEST(MaskFile, takes_any_shape_where_none_is_expected) {
  EXPECT_TRUE(read_mask_file(stored(file_of({7, 2, 2, 2})), std::nullopt).mask.ok());
}

TEST(MaskFile, says_what_a_wrong_shape_looks_like) {
  const std::string front = "expected 2 findings of 5 x 4 x 3 voxels, found an array of shape ";
  EXPECT_EQ(refusal({5, 4, 3, 2}), front + "5 x 4 x 3 x 2; the channel axis is last: (H,W,D,F)");
  EXPECT_EQ(refusal({3, 4, 5, 2}), front + "3 x 4 x 5 x 2; all axes are reversed: (D,W,H,F)");
  EXPECT_EQ(refusal({3, 5, 4, 3}), front + "3 x 5 x 4 x 3; the number of findings differs");
  EXPECT_EQ(refusal({5, 4, 3}), front + "5 x 4 x 3; the number of findings differs");
  EXPECT_EQ(refusal({2, 5, 4, 2}), front + "2 x 5 x 4 x 2");
}

TEST(MaskFile, is_read_all_the_same_when_only_its_spatial_axes_are_permuted) {
  const MaskRead reversed = read_mask_file(stored(file_of({2, 3, 4, 5})), expected_shape);
  ASSERT_TRUE(reversed.mask.ok());
  ASSERT_TRUE(reversed.mask->shape_error);
  EXPECT_EQ(
      reversed.mask->shape_error->message(),
      "expected 2 findings of 5 x 4 x 3 voxels, found an array of shape 2 x 3 x 4 x 5; the spatial axes are "
      "reversed: (F,D,W,H)");
  const MaskRead permuted = read_mask_file(stored(file_of({2, 4, 5, 3})), expected_shape);
  ASSERT_TRUE(permuted.mask.ok());
  EXPECT_TRUE(permuted.mask->shape_error->message().ends_with("; the spatial axes are permuted"));
}

TEST(MaskFile, of_five_axes_is_refused) {
  EXPECT_EQ(refusal({2, 5, 4, 3, 2}), "array of shape 2 x 5 x 4 x 3 x 2; expected (F,H,W,D)");
}

TEST(MaskFile, claims_a_place_only_by_an_affine_that_is_set_and_not_the_identity) {
  NiftiHeader header = example_header({2, 5, 4, 3});
  const std::vector<double> values(120);
  EXPECT_FALSE(read_mask_file(stored(example_file(header, values)), expected_shape).mask->claims_place);
  header.set_affine(Affine::scaling({0.7, 0.7, 1.5}));
  EXPECT_TRUE(read_mask_file(stored(example_file(header, values)), expected_shape).mask->claims_place);
  header.sform_code = header.qform_code = 0;
  EXPECT_FALSE(read_mask_file(stored(example_file(header, values)), expected_shape).mask->claims_place);
}

TEST(MaskFile, hashes_what_it_could_not_understand) {
  const std::string text = "This is a text, no image. It is long enough to hold a header, were it one.";
  const MaskRead read =
      read_mask_file(stored(Bytes(as_bytes(text).begin(), as_bytes(text).end())), expected_shape);
  EXPECT_FALSE(read.mask.ok());
  EXPECT_EQ(read.digest, sha256(as_bytes(text)));
}

}  // namespace
}  // namespace fiducial
