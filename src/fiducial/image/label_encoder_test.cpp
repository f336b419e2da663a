#include "fiducial/image/label_encoder.h"

#include <memory>

#include <gtest/gtest.h>

#include "fiducial/base/random.h"

namespace fiducial {
namespace {

const Grid small{{5, 4, 3}, Affine::identity()};

LabelMap random_labels(Random& random) {
  std::vector<LabelRun> runs;
  for (std::int32_t row = 0; row < 12; ++row) {
    const auto begin = static_cast<std::int32_t>(random.between(0, 3));
    const auto end = static_cast<std::int32_t>(random.between(begin + 1, 5));
    runs.push_back({row, begin, end, static_cast<std::int32_t>(random.between(1, 255))});
  }
  return {small, runs};
}

Result<LabelStack> decoded(const NiftiImage& image, ChannelAxis axis) {
  Bytes file = nifti_header_bytes(image.header());
  file.insert(file.end(), image.bytes().begin(), image.bytes().end());
  FIDUCIAL_TRY(NiftiStream stream, NiftiStream::open(std::make_unique<MemoryStream>(file), file.size()));
  return decode_labels(stream, axis);
}

TEST(LabelEncoder, is_undone_by_the_decoder_on_every_channel_axis) {
  Random random(3);
  const std::vector<LabelMap> channels{random_labels(random), LabelMap(small), random_labels(random)};
  for (const ChannelAxis axis : {ChannelAxis::first, ChannelAxis::last}) {
    const auto image = encode_labels(channels, axis);
    ASSERT_TRUE(image.ok());
    const auto stack = decoded(*image, axis);
    ASSERT_TRUE(stack.ok());
    EXPECT_EQ(stack->channels, channels);
  }
}

TEST(LabelEncoder, interleaves_channels_when_they_come_first) {
  const std::vector<LabelMap> channels{{small, {{0, 0, 1, 7}}}, {small, {{0, 0, 1, 9}}}};
  const auto image = encode_labels(channels, ChannelAxis::first);
  ASSERT_TRUE(image.ok());
  EXPECT_EQ(image->header().shape_text(), "2 x 5 x 4 x 3");
  EXPECT_EQ(image->bytes()[0], std::byte{7});
  EXPECT_EQ(image->bytes()[1], std::byte{9});
  EXPECT_EQ(image->bytes()[2], std::byte{0});
}

TEST(LabelEncoder, writes_the_identity_as_nibabel_does) {
  const std::vector<LabelMap> channels{LabelMap(small)};
  const auto image = encode_labels(channels, ChannelAxis::first);
  ASSERT_TRUE(image.ok());
  EXPECT_TRUE(image->header().affine.is_identity());
  EXPECT_EQ(image->header().sform_code, 2);
  EXPECT_EQ(image->header().qform_code, 0);
}

TEST(LabelEncoder, refuses_what_a_byte_or_a_file_cannot_hold) {
  const LabelMap wide(small, {{0, 0, 1, 256}});
  const LabelMap other(Grid{{4, 4, 3}, Affine::identity()});
  const LabelMap empty(small);
  EXPECT_FALSE(encode_labels({}, ChannelAxis::first).ok());
  EXPECT_FALSE(encode_labels(std::vector{wide}, ChannelAxis::first).ok());
  EXPECT_FALSE(encode_labels(std::vector{empty, other}, ChannelAxis::first).ok());
  EXPECT_FALSE(encode_labels(std::vector{empty, empty}, ChannelAxis::none).ok());
}

}  // namespace
}  // namespace fiducial
