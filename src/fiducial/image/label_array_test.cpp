#include "fiducial/image/label_array.h"

#include <algorithm>
#include <vector>

#include <gtest/gtest.h>

#include "fiducial/base/interruption.h"
#include "fiducial/image/nifti_example.h"

namespace fiducial {
namespace {

constexpr VoxelType integer_types[] = {VoxelType::uint8,  VoxelType::int8,   VoxelType::uint16,
                                       VoxelType::int16,  VoxelType::uint32, VoxelType::int32,
                                       VoxelType::uint64, VoxelType::int64};

// Small labels in stretches, so that runs, gaps and whole blocks of equal voxels occur; x fastest.
std::vector<double> drawn_values(Random& random, const Extent& extent) {
  std::vector<double> out;
  while (std::ssize(out) < extent.count()) {
    const auto value = static_cast<double>(random.between(0, 3));
    const auto length = static_cast<std::size_t>(random.between(1, random.below(4) == 0 ? 200 : 5));
    out.insert(out.end(), length, value);
  }
  out.resize(static_cast<std::size_t>(extent.count()));
  return out;
}

// The obvious way: one voxel after the other.
LabelMap expected(const std::vector<double>& values, const Extent& extent) {
  std::vector<LabelRun> runs;
  for (std::int64_t row = 0; row < extent.rows(); ++row) {
    for (std::int64_t x = 0; x < extent.x; ++x) {
      const auto label = static_cast<std::int32_t>(values[static_cast<std::size_t>(row * extent.x + x)]);
      const auto at = static_cast<std::int32_t>(x);
      if (label == 0) continue;
      if (!runs.empty() && runs.back().row == row && runs.back().end == at && runs.back().label == label) {
        ++runs.back().end;
      } else {
        runs.push_back({static_cast<std::int32_t>(row), at, at + 1, label});
      }
    }
  }
  return {Grid{extent, {}}, std::move(runs)};
}

// The values laid out in another order of axes, some of them backwards, with gaps between voxels.
struct Layout {
  Bytes bytes;
  VoxelArray voxels;
};

Layout laid_out(const std::vector<double>& values, const Extent& extent, VoxelType type, Random& random,
                bool swapped) {
  std::array<int, 3> order{0, 1, 2};  // fastest first
  for (std::size_t i = 2; i > 0; --i) std::swap(order[i], order[random.below(i + 1)]);
  Layout out;
  std::int64_t step = size_bytes(type) * random.between(1, 2) + random.between(0, 1) * 3;
  if (random.below(2) == 0) step = size_bytes(type);
  std::int64_t origin = 0;
  for (const int axis : order) {
    auto& stride = out.voxels.stride_bytes[static_cast<std::size_t>(axis)];
    stride = step;
    step *= extent[axis] + random.between(0, 1);
    if (random.below(3) == 0) {
      origin += stride * (extent[axis] - 1);
      stride = -stride;
    }
  }
  out.bytes.resize(static_cast<std::size_t>(step + 16));
  const Bytes packed = voxel_bytes_of(values, type, swapped);
  const auto width = static_cast<std::size_t>(size_bytes(type));
  for (std::int64_t i = 0; i < extent.count(); ++i) {
    const std::array<std::int64_t, 3> at{i % extent.x, i / extent.x % extent.y, i / extent.x / extent.y};
    std::int64_t place = origin;
    for (std::size_t axis = 0; axis < 3; ++axis) place += at[axis] * out.voxels.stride_bytes[axis];
    std::copy_n(packed.begin() + i * size_bytes(type), width, out.bytes.begin() + place);
  }
  out.voxels.first = out.bytes.data() + origin;
  out.voxels.type = type;
  out.voxels.swapped = swapped;
  out.voxels.extent = extent;
  return out;
}

TEST(LabelArray, equals_the_obvious_scan_for_every_type_layout_and_byte_order) {
  Random random(1);
  for (int turn = 0; turn < 300; ++turn) {
    const Extent extent{random.between(1, 150), random.between(1, 12), random.between(1, 70)};
    const std::vector<double> values = drawn_values(random, extent);
    const VoxelType type = integer_types[random.below(std::size(integer_types))];
    const Layout layout = laid_out(values, extent, type, random, random.below(4) == 0);
    const Result<LabelMap> labels = labels_from_array(layout.voxels);
    ASSERT_TRUE(labels.ok()) << labels.error().text();
    ASSERT_EQ(*labels, expected(values, extent)) << "turn " << turn;
  }
}

TEST(LabelArray, keeps_negative_labels) {
  const std::vector<std::int16_t> values{0, -3, -3, 5};
  const VoxelArray voxels{
      reinterpret_cast<const std::byte*>(values.data()), VoxelType::int16, false, {4, 1, 1}, {2, 8, 8}};
  const std::vector<LabelRun> runs{{0, 1, 3, -3}, {0, 3, 4, 5}};
  EXPECT_EQ(*labels_from_array(voxels), LabelMap(Grid{{4, 1, 1}, {}}, runs));
}

TEST(LabelArray, reads_one_voxel_for_all_where_strides_are_zero) {
  const std::uint8_t one = 1;
  const VoxelArray voxels{
      reinterpret_cast<const std::byte*>(&one), VoxelType::uint8, false, {3, 4, 5}, {0, 0, 0}};
  EXPECT_EQ(labels_from_array(voxels)->count(), 60);
}

TEST(LabelArray, refuses_labels_beyond_32_bits) {
  const std::int64_t large = std::int64_t{1} << 40;
  const VoxelArray voxels{
      reinterpret_cast<const std::byte*>(&large), VoxelType::int64, false, {1, 1, 1}, {8, 8, 8}};
  EXPECT_EQ(labels_from_array(voxels).error().message(), "label 1099511627776 does not fit 32 bits");
}

TEST(LabelArray, refuses_voxels_that_are_no_integers) {
  const float half = 0.5F;
  const VoxelArray voxels{
      reinterpret_cast<const std::byte*>(&half), VoxelType::float32, false, {1, 1, 1}, {4, 4, 4}};
  EXPECT_EQ(labels_from_array(voxels).error().message(), "voxels of type float32; expected integers");
}

TEST(LabelArray, ends_early_when_the_call_is_given_up) {
  const std::uint8_t one = 1;
  const VoxelArray voxels{
      reinterpret_cast<const std::byte*>(&one), VoxelType::uint8, false, {3, 4, 5}, {0, 0, 0}};
  const CallScope::Flag flag{true};
  const CallScope scope(&flag);
  EXPECT_EQ(labels_from_array(voxels).error().code(), ErrorCode::interrupted);
}

}  // namespace
}  // namespace fiducial
