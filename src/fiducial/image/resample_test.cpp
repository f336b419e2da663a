#include "fiducial/image/resample.h"

#include <cmath>

#include <gtest/gtest.h>

#include "fiducial/base/random.h"
#include "fiducial/base/reference_values.h"
#include "fiducial/geometry/orientation.h"
#include "fiducial/image/reorient.h"

namespace fiducial {
namespace {

template <typename T>
std::vector<T> voxels_of(const NiftiImage& image) {
  const auto* first = reinterpret_cast<const T*>(image.bytes().data());
  return {first, first + image.header().voxel_count()};
}

template <typename T>
NiftiImage image_of(const Grid& grid, VoxelType type, const std::vector<T>& values) {
  NiftiHeader header;
  header.dim = {3, grid.extent.x, grid.extent.y, grid.extent.z, 1, 1, 1, 1};
  header.type = type;
  header.set_affine(grid.affine);
  NiftiImage out = NiftiImage::make(header);
  std::copy(values.begin(), values.end(), reinterpret_cast<T*>(out.bytes().data()));
  return out;
}

Affine affine_in(const Json& rows) {
  Affine out;
  for (std::size_t row = 0; row < 3; ++row) {
    for (std::size_t column = 0; column < 4; ++column) {
      out.m[row][column] = *(*(*rows.as_array())[row].as_array())[column].as_number();
    }
  }
  return out;
}

Extent extent_in(const Json& sizes) {
  const Json::Array& list = *sizes.as_array();
  return {*list[0].as_integer(), *list[1].as_integer(), *list[2].as_integer()};
}

NiftiImage reference_image(const Json& document) {
  const Grid grid{extent_in(*document.find("shape")), affine_in(*document.find("affine"))};
  std::vector<std::int16_t> values;
  values.reserve(static_cast<std::size_t>(grid.extent.count()));
  for (std::int64_t i = 0; i < grid.extent.count(); ++i) {
    values.push_back(static_cast<std::int16_t>(i * 7919 % 3001 - 1500));
  }
  return image_of(grid, VoxelType::int16, values);
}

TEST(Resample, gives_the_values_of_simpleitk_on_any_grid) {
  const Json document = reference_values("resample.json");
  const NiftiImage source = reference_image(document);
  for (const Json& each : *document.find("cases")->as_array()) {
    SCOPED_TRACE(*each.find("name")->as_string());
    const Grid target{extent_in(*each.find("shape")), affine_in(*each.find("affine"))};
    const auto nearest =
        voxels_of<std::int16_t>(*resampled(source, target, {.outside = -2000, .threads = 2}));
    const auto linear = voxels_of<float>(
        *resampled(source, target, {.interpolation = Interpolation::linear, .outside = -2000, .threads = 2}));
    const Json::Array& expected_nearest = *each.find("nearest")->as_array();
    const Json::Array& expected_linear = *each.find("linear")->as_array();
    ASSERT_EQ(nearest.size(), expected_nearest.size());
    for (std::size_t i = 0; i < nearest.size(); ++i) {
      EXPECT_EQ(nearest[i], *expected_nearest[i].as_number()) << i;
      EXPECT_NEAR(linear[i], *expected_linear[i].as_number(), 2e-3) << i;
    }
  }
}

TEST(Resample, is_the_same_whatever_the_order_of_axes_and_the_number_of_threads) {
  Random random(20);
  const Grid grid{{7, 5, 6}, Affine::scaling({0.8, 0.9, 2.1}, {-3, 4, 5})};
  std::vector<std::uint8_t> labels(static_cast<std::size_t>(grid.extent.count()));
  for (std::uint8_t& label : labels) label = static_cast<std::uint8_t>(random.below(4));
  const NiftiImage image = image_of(grid, VoxelType::uint8, labels);
  const Grid target{{9, 8, 10}, Affine::scaling({0.71, 0.63, 1.3}, {-3.05, 3.9, 4.7})};
  const auto expected = voxels_of<std::uint8_t>(*resampled(image, target, {.threads = 1}));
  const auto volume =
      voxels_of<float>(*resampled(image, target, {.interpolation = Interpolation::linear, .threads = 1}));
  for (const Reorientation& how : Reorientation::all()) {
    const NiftiImage turned = reoriented(image, how);
    EXPECT_EQ(voxels_of<std::uint8_t>(*resampled(turned, target, {.threads = 3})), expected) << how.name();
    const auto again =
        voxels_of<float>(*resampled(turned, target, {.interpolation = Interpolation::linear, .threads = 3}));
    for (std::size_t i = 0; i < again.size(); ++i) ASSERT_NEAR(again[i], volume[i], 1e-5) << how.name();
    const NiftiImage back = *resampled(*resampled(image, how.apply(grid), {}), grid, {});
    EXPECT_EQ(voxels_of<std::uint8_t>(back), labels) << how.name();
  }
}

TEST(Resample, keeps_type_scaling_and_volumes_of_labels) {
  NiftiHeader header;
  header.dim = {4, 2, 1, 1, 2, 1, 1, 1};
  header.type = VoxelType::int16;
  header.slope = 0.5;
  header.set_affine(Affine::scaling({2, 1, 1}));
  NiftiImage image = NiftiImage::make(header);
  const std::vector<std::int16_t> values{1, 2, 3, 4};
  std::copy(values.begin(), values.end(), reinterpret_cast<std::int16_t*>(image.bytes().data()));
  const Grid target{{4, 1, 1}, Affine::scaling({1, 1, 1}, {-0.5, 0, 0})};
  const Result<NiftiImage> made = resampled(image, target, {.outside = 7});
  EXPECT_EQ(made->header().slope, 0.5);
  EXPECT_EQ(voxels_of<std::int16_t>(*made), (std::vector<std::int16_t>{1, 1, 2, 2, 3, 3, 4, 4}));
  const Result<NiftiImage> volume = resampled(image, target, {.interpolation = Interpolation::linear});
  EXPECT_EQ(volume->header().slope, 0);
  EXPECT_EQ(voxels_of<float>(*volume), (std::vector<float>{0.5, 0.625, 0.875, 1, 1.5, 1.625, 1.875, 2}));
}

TEST(Resample, refuses_what_has_no_answer) {
  const Grid grid{{2, 2, 2}, Affine{}};
  const NiftiImage image = image_of(grid, VoxelType::float32, std::vector<float>(8, std::nanf("")));
  EXPECT_FALSE(resampled(image, grid, {.interpolation = Interpolation::linear}).ok());
  EXPECT_FALSE(resampled(image, {{2, 2, 2}, Affine::scaling({1, 0, 1})}, {}).ok());
  EXPECT_FALSE(resampled(image, {{0, 2, 2}, Affine{}}, {}).ok());
  EXPECT_FALSE(resampled(image, {{1 << 20, 1 << 20, 1 << 20}, Affine{}}, {}).ok());
  const NiftiImage bytes = image_of(grid, VoxelType::uint8, std::vector<std::uint8_t>(8, 1));
  EXPECT_FALSE(resampled(bytes, grid, {.outside = 0.5}).ok());
  EXPECT_FALSE(resampled(bytes, grid, {.outside = 256}).ok());
}

Vec3 voxel_numbered(std::int64_t index, const Extent& extent) {
  const std::int64_t row = index / extent.x;
  const std::int64_t slice = row / extent.y;
  return {static_cast<double>(index % extent.x), static_cast<double>(row % extent.y),
          static_cast<double>(slice)};
}

TEST(Resample, counts_voxels_within_and_foreground_beyond_as_an_obvious_loop_does) {
  Random random(21);
  const Grid grid{{6, 7, 5}, Affine::scaling({1, 1.2, 2}, {0, 0, 0})};
  std::vector<std::uint8_t> labels(static_cast<std::size_t>(grid.extent.count()));
  for (std::uint8_t& label : labels) label = static_cast<std::uint8_t>(random.below(2));
  const NiftiImage image = image_of(grid, VoxelType::uint8, labels);
  const Grid target{{4, 5, 3}, Affine::scaling({1.1, 1.3, 2.2}, {1.07, -1.9, 1.01})};
  std::int64_t within = 0;
  for (std::int64_t i = 0; i < target.extent.count(); ++i) {
    const Vec3 at = target.affine.apply(voxel_numbered(i, target.extent));
    within +=
        at[0] >= -0.5 && at[0] < 5.5 && at[1] >= -0.6 && at[1] < 7.8 && at[2] >= -1 && at[2] < 9 ? 1 : 0;
  }
  EXPECT_EQ(*voxels_within(grid, target), within);
  ForegroundCount expected;
  for (std::int64_t i = 0; i < grid.extent.count(); ++i) {
    if (labels[static_cast<std::size_t>(i)] == 0) continue;
    const Vec3 at = grid.affine.apply(voxel_numbered(i, grid.extent));
    ++expected.all;
    const bool inside =
        at[0] >= 0.52 && at[0] < 4.92 && at[1] >= -2.55 && at[1] < 3.95 && at[2] >= -0.09 && at[2] < 6.51;
    expected.beyond += inside ? 0 : 1;
  }
  const ForegroundCount found = *foreground_beyond(image, target);
  EXPECT_EQ(found.all, expected.all);
  EXPECT_EQ(found.beyond, expected.beyond);
}

}  // namespace
}  // namespace fiducial
