#include "fiducial/image/label_decoder.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include <gtest/gtest.h>

#include "fiducial/base/case_budget.h"
#include "fiducial/base/number_text.h"
#include "fiducial/image/nifti_example.h"

namespace fiducial {
namespace {

Result<LabelStack> decoded(const Bytes& file, ChannelAxis axis) {
  FIDUCIAL_TRY(NiftiStream stream, open_bytes(file));
  return decode_labels(stream, axis);
}

// Labels of every channel, one number a voxel, x fastest.
using DenseStack = std::vector<std::vector<std::int32_t>>;

DenseStack dense(const LabelStack& stack) {
  DenseStack out;
  for (const LabelMap& channel : stack.channels) {
    std::vector<std::int32_t> voxels(static_cast<std::size_t>(channel.extent().count()));
    const LabelRun* before = nullptr;
    for (const LabelRun& run : channel.runs()) {
      EXPECT_LT(run.begin, run.end);
      EXPECT_NE(run.label, 0);
      EXPECT_TRUE(before == nullptr || before->row < run.row || before->end < run.begin ||
                  (before->end == run.begin && before->label != run.label));
      const std::int64_t row = run.row * channel.extent().x;
      for (std::int64_t x = run.begin; x < run.end; ++x)
        voxels[static_cast<std::size_t>(row + x)] = run.label;
      before = &run;
    }
    out.push_back(voxels);
  }
  return out;
}

// What every voxel of every channel must become, read one by one.
DenseStack obvious_labels(const std::vector<double>& values, const NiftiHeader& header, ChannelAxis axis) {
  const ChannelShape shape = channel_shape(header, axis).value();
  const auto voxels = static_cast<std::size_t>(shape.extent.count());
  const auto channels = static_cast<std::size_t>(shape.channels);
  DenseStack out(channels, std::vector<std::int32_t>(voxels));
  for (std::size_t c = 0; c < channels; ++c) {
    for (std::size_t v = 0; v < voxels; ++v) {
      const double raw = values[axis == ChannelAxis::first ? v * channels + c : c * voxels + v];
      const double value = header.scales() ? raw * header.slope + header.intercept : raw;
      out[c][v] = static_cast<std::int32_t>(std::trunc(value));
    }
  }
  return out;
}

// Labels in streaks, as masks have them, with stretches of background long enough for every skip.
std::vector<double> random_labels(Random& random, std::int64_t count, double background) {
  std::vector<double> out;
  while (static_cast<std::int64_t>(out.size()) < count) {
    const double label = random.uniform() < background ? 0 : static_cast<double>(random.below(4));
    const std::uint64_t length = 1 + random.below(label == 0 ? 200 : 12);
    out.insert(out.end(), length, label);
  }
  out.resize(static_cast<std::size_t>(count));
  return out;
}

void expect_decodes_like_the_obvious(NiftiHeader header, ChannelAxis axis, Random& random) {
  for (const double background : {0.0, 0.5, 0.9, 1.0}) {
    const std::vector<double> values = random_labels(random, header.voxel_count(), background);
    const auto stack = decoded(example_file(header, values), axis);
    ASSERT_TRUE(stack.ok()) << stack.error().text();
    ASSERT_EQ(dense(*stack), obvious_labels(values, header, axis))
        << header.shape_text() << " " << to_string(header.type) << " seeded background " << background;
  }
}

class ChannelCounts : public testing::TestWithParam<std::int64_t> {};

TEST_P(ChannelCounts, decode_like_the_obvious_when_channels_come_first) {
  Random random(1);
  for (const std::int64_t width : {1, 2, 7, 64, 130}) {
    expect_decodes_like_the_obvious(example_header({GetParam(), width, 5, 3}), ChannelAxis::first, random);
  }
}

TEST_P(ChannelCounts, decode_like_the_obvious_when_channels_come_last) {
  Random random(2);
  for (const std::int64_t width : {1, 2, 7, 64, 130}) {
    expect_decodes_like_the_obvious(example_header({width, 5, 3, GetParam()}), ChannelAxis::last, random);
  }
}

TEST_P(ChannelCounts, decode_like_the_obvious_in_every_type_and_byte_order) {
  Random random(3);
  for (const VoxelType type : label_types) {
    for (const bool swapped : {false, true}) {
      for (const ChannelAxis axis : {ChannelAxis::first, ChannelAxis::last}) {
        NiftiHeader header = axis == ChannelAxis::first ? example_header({GetParam(), 9, 3, 2}, type)
                                                        : example_header({9, 3, 2, GetParam()}, type);
        header.swapped = swapped;
        expect_decodes_like_the_obvious(header, axis, random);
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(channels, ChannelCounts, testing::Values(1, 2, 3, 7, 8, 9, 16, 17, 100),
                         [](const auto& each) { return decimal(each.param); });

TEST(DecodeLabels, reads_three_axes_as_one_channel) {
  Random random(4);
  expect_decodes_like_the_obvious(example_header({130, 5, 3}), ChannelAxis::none, random);
  expect_decodes_like_the_obvious(example_header({13, 5, 3, 1, 1}), ChannelAxis::none, random);
}

TEST(DecodeLabels, reads_volumes_of_many_chunks) {
  Random random(5);
  for (const ChannelAxis axis : {ChannelAxis::first, ChannelAxis::last}) {
    const auto header =
        axis == ChannelAxis::first ? example_header({3, 500, 40, 20}) : example_header({500, 40, 20, 3});
    expect_decodes_like_the_obvious(header, axis, random);
  }
}

TEST(DecodeLabels, keeps_all_values_of_a_byte) {
  std::vector<double> values;
  for (int i = 0; i < 256; ++i) values.push_back(i);
  const NiftiHeader header = example_header({1, 256, 1, 1});
  const LabelStack stack = decoded(example_file(header, values), ChannelAxis::first).value();
  EXPECT_EQ(dense(stack), obvious_labels(values, header, ChannelAxis::first));
  EXPECT_EQ(stack.values.greatest, 255);
  EXPECT_EQ(stack.values.least, 0);
}

TEST(DecodeLabels, applies_slope_and_intercept_in_every_type) {
  Random random(6);
  for (const VoxelType type : label_types) {
    NiftiHeader header = example_header({3, 20, 3, 2}, type);
    header.slope = 2;
    expect_decodes_like_the_obvious(header, ChannelAxis::first, random);
    header.intercept = 1;
    expect_decodes_like_the_obvious(header, ChannelAxis::first, random);
    header.intercept = -2;
    expect_decodes_like_the_obvious(header, ChannelAxis::first, random);
    header.slope = 0;
    expect_decodes_like_the_obvious(header, ChannelAxis::first, random);
  }
}

TEST(DecodeLabels, truncates_fractions_towards_zero_and_counts_them) {
  const NiftiHeader header = example_header({6, 1, 1}, VoxelType::float32);
  const LabelStack stack =
      decoded(example_file(header, {0, 0.7, 1, 1.5, -1.5, -0.25}), ChannelAxis::none).value();
  EXPECT_EQ(dense(stack), (DenseStack{{0, 0, 1, 1, -1, 0}}));
  EXPECT_EQ(stack.values.fractional, 4);
  EXPECT_EQ(stack.values.foreground, 5);
  EXPECT_EQ(stack.values.least, -1);
  EXPECT_EQ(stack.values.greatest, 1);
}

TEST(DecodeLabels, counts_values_that_are_not_finite_and_makes_them_background) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const double infinity = std::numeric_limits<double>::infinity();
  const NiftiHeader header = example_header({4, 1, 1}, VoxelType::float64);
  const LabelStack stack =
      decoded(example_file(header, {nan, 3, infinity, -infinity}), ChannelAxis::none).value();
  EXPECT_EQ(dense(stack), (DenseStack{{0, 3, 0, 0}}));
  EXPECT_EQ(stack.values.not_finite, 3);
}

TEST(DecodeLabels, takes_a_negative_zero_as_background) {
  const NiftiHeader header = example_header({2, 1, 1}, VoxelType::float32);
  const LabelStack stack = decoded(example_file(header, {-0.0, 1}), ChannelAxis::none).value();
  EXPECT_EQ(dense(stack), (DenseStack{{0, 1}}));
  EXPECT_EQ(stack.values.foreground, 1);
}

TEST(DecodeLabels, counts_foreground_voxels_in_every_type_and_channel_order) {
  Random random(7);
  for (const VoxelType type : label_types) {
    for (const ChannelAxis axis : {ChannelAxis::first, ChannelAxis::last}) {
      const NiftiHeader header = axis == ChannelAxis::first ? example_header({9, 70, 3, 2}, type)
                                                            : example_header({70, 3, 2, 9}, type);
      const std::vector<double> values = random_labels(random, header.voxel_count(), 0.5);
      const LabelStack stack = decoded(example_file(header, values), axis).value();
      const auto foreground =
          std::count_if(values.begin(), values.end(), [](double value) { return value != 0; });
      EXPECT_EQ(stack.values.foreground, foreground) << to_string(type);
      EXPECT_EQ(stack.values.greatest, 3);
    }
  }
}

TEST(DecodeLabels, keeps_ids_above_255_and_below_zero) {
  const NiftiHeader header = example_header({3, 1, 1}, VoxelType::int32);
  const LabelStack stack = decoded(example_file(header, {256, -7, 2147483647}), ChannelAxis::none).value();
  EXPECT_EQ(dense(stack), (DenseStack{{256, -7, 2147483647}}));
  EXPECT_EQ(stack.values.least, -7);
  EXPECT_EQ(stack.values.greatest, 2147483647);
}

TEST(DecodeLabels, refuses_values_beyond_32_bits) {
  EXPECT_EQ(
      decoded(example_file(example_header({1, 1, 1}, VoxelType::uint32), {4294967295.0}), ChannelAxis::none)
          .error()
          .message(),
      "voxel value 4294967295 does not fit a 32-bit label");
  EXPECT_EQ(
      decoded(example_file(example_header({1, 1, 1}, VoxelType::int64), {-2147483649.0}), ChannelAxis::none)
          .error()
          .message(),
      "voxel value -2147483649 does not fit a 32-bit label");
  EXPECT_EQ(decoded(example_file(example_header({1, 1, 1}, VoxelType::float64), {1e10}), ChannelAxis::none)
                .error()
                .message(),
            "voxel value 1e+10 does not fit a 32-bit label");
}

TEST(DecodeLabels, refuses_types_that_are_no_labels) {
  const NiftiHeader header = example_header({1, 1, 1}, VoxelType::rgb24);
  Bytes file = nifti_header_bytes(header);
  file.resize(file.size() + 3);
  EXPECT_EQ(decoded(file, ChannelAxis::none).error().message(), "voxels of type rgb24 are no labels");
}

TEST(DecodeLabels, refuses_a_wrong_checksum_behind_the_last_voxel) {
  Bytes file = gzip_compressed(example_file(example_header({4, 5, 6}), std::vector<double>(120)), 6);
  file[file.size() - 6] ^= std::byte{1};
  EXPECT_EQ(decoded(file, ChannelAxis::none).error().message(),
            "gzip checksum or length does not match the data");
}

TEST(DecodeLabels, passes_the_notes_of_the_file_on) {
  Bytes file = example_file(example_header({4, 5, 6}), std::vector<double>(120));
  file.resize(file.size() + 3);
  const LabelStack stack = decoded(file, ChannelAxis::none).value();
  ASSERT_EQ(stack.notes.size(), 1U);
  EXPECT_EQ(stack.notes[0].code, "trailing_bytes");
}

TEST(DecodeLabels, keeps_the_affine_of_the_spatial_axes) {
  NiftiHeader header = example_header({2, 4, 5, 6});
  header.set_affine(Affine::scaling({0.5, 0.5, 2}));
  const LabelStack stack =
      decoded(example_file(header, std::vector<double>(240)), ChannelAxis::first).value();
  EXPECT_EQ(stack.grid, (Grid{{4, 5, 6}, Affine::scaling({0.5, 0.5, 2})}));
  EXPECT_EQ(stack.channels.at(1).grid(), stack.grid);
}

TEST(ChannelShape, names_channels_and_extent) {
  EXPECT_EQ(channel_shape(example_header({8, 4, 5, 6}), ChannelAxis::first).value(),
            (ChannelShape{8, {4, 5, 6}}));
  EXPECT_EQ(channel_shape(example_header({4, 5, 6, 8}), ChannelAxis::last).value(),
            (ChannelShape{8, {4, 5, 6}}));
  EXPECT_EQ(channel_shape(example_header({4, 5, 6}), ChannelAxis::none).value(),
            (ChannelShape{1, {4, 5, 6}}));
  EXPECT_EQ((ChannelShape{8, {4, 5, 6}}.text()), "8 findings of 4 x 5 x 6");
  EXPECT_EQ((ChannelShape{1, {4, 5, 6}}.text()), "1 finding of 4 x 5 x 6");
}

TEST(ChannelShape, refuses_a_rank_that_does_not_fit) {
  EXPECT_EQ(channel_shape(example_header({4, 5, 6}), ChannelAxis::first).error().message(),
            "array of shape 4 x 5 x 6; expected 4 axes");
  EXPECT_EQ(channel_shape(example_header({4, 5, 6, 2}), ChannelAxis::none).error().message(),
            "array of shape 4 x 5 x 6 x 2; expected 3 axes");
  EXPECT_FALSE(channel_shape(example_header({4, 5, 6, 2, 2}), ChannelAxis::first).ok());
}

TEST(DecodeLabels, refuses_more_channels_than_its_limit) {
  NiftiHeader header = example_header({1, 1, 1, 70000});
  header.version = 2;
  const Bytes file = example_file(header, std::vector<double>(70000));
  EXPECT_EQ(decoded(file, ChannelAxis::last).error().message(), "70000 channels; at most 65536 are read");
}

TEST(DecodeLabels, refuses_more_runs_than_the_case_may_have) {
  const std::vector<double> striped{1, 0, 1, 0, 1, 0, 1, 0};
  for (const VoxelType type : {VoxelType::uint8, VoxelType::int16}) {
    const Bytes file = example_file(example_header({8, 1, 1}, type), striped);
    const CaseBudget enough({.runs = 4});
    EXPECT_TRUE(decoded(file, ChannelAxis::none).ok());
    const CaseBudget few({.runs = 3});
    const Result<LabelStack> refused = decoded(file, ChannelAxis::none);
    ASSERT_FALSE(refused.ok());
    EXPECT_EQ(
        refused.error().message(),
        "labels change more than 3 times along the rows, which no mask of a structure does (--max-runs)");
  }
}

TEST(DecodeLabels, refuses_a_chequerboard_and_takes_slabs) {
  constexpr std::size_t side = 128;
  std::vector<double> board(side * side * 64);
  std::vector<double> slabs(board.size());
  for (std::size_t i = 0; i < board.size(); ++i) {
    board[i] = static_cast<double>((i + i / side + i / (side * side)) % 2);
    slabs[i] = static_cast<double>(i / 8 % 2);
  }
  const NiftiHeader header = example_header({side, side, 64}, VoxelType::uint8);
  EXPECT_TRUE(decoded(example_file(header, slabs), ChannelAxis::none).ok());
  const Result<LabelStack> refused = decoded(example_file(header, board), ChannelAxis::none);
  ASSERT_FALSE(refused.ok());
  EXPECT_EQ(
      refused.error().message(),
      "labels change more than 262144 times along the rows of 1048576 voxels, which no mask of a structure "
      "does");
}

TEST(DecodeLabels, refuses_more_voxels_than_the_case_may_have) {
  const CaseBudget small({.decoded_mib = 1});
  const Bytes file =
      example_file(example_header({1024, 1024, 2}, VoxelType::uint8), std::vector<double>(2 << 20));
  EXPECT_EQ(decoded(file, ChannelAxis::none).error().message(),
            "voxels of 2 MiB; at most 1 are decoded (--max-decoded-mib)");
}

}  // namespace
}  // namespace fiducial
