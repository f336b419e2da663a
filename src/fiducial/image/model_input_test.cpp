#include "fiducial/image/model_input.h"

#include <cmath>

#include <gtest/gtest.h>

#include "fiducial/base/reference_values.h"
#include "fiducial/image/nifti_example.h"

namespace fiducial {
namespace {

FloatVolume reference_volume() {
  FloatVolume out{.extent = {13, 11, 9}};
  for (std::int64_t i = 0; i < out.extent.count(); ++i)
    out.values.push_back(static_cast<float>(i * 7919 % 3001 - 1500));
  return out;
}

std::vector<double> numbers(const Json& document, const char* key) {
  std::vector<double> out;
  for (const Json& item : *document.find(key)->as_array()) out.push_back(*item.as_number());
  return out;
}

TEST(ModelInput, clips_standardises_and_resizes_as_numpy_does) {
  const Json expected = reference_values("model_input.json");
  FloatVolume volume = reference_volume();
  clip(volume, -1000, 200);
  standardise(volume);
  const std::vector<double> scored = numbers(expected, "scored");
  for (std::size_t i = 0; i < scored.size(); ++i) EXPECT_NEAR(volume.values[i * 97], scored[i], 1e-6);
  const FloatVolume shrunken = *area_resized(volume, {6, 4, 16});
  const std::vector<double> resized = numbers(expected, "resized");
  ASSERT_EQ(shrunken.values.size(), resized.size());
  for (std::size_t i = 0; i < resized.size(); ++i) EXPECT_NEAR(shrunken.values[i], resized[i], 1e-6);
}

TEST(ModelInput, refuses_a_size_that_no_memory_holds) {
  const Result<FloatVolume> refused = area_resized(reference_volume(), {30'000, 30'000, 30'000});
  ASSERT_FALSE(refused.ok());
  EXPECT_EQ(refused.error().code(), ErrorCode::bad_usage);
}

TEST(ModelInput, makes_fractions_of_masks_as_the_published_code_does) {
  FloatVolume mask = reference_volume();
  for (float& value : mask.values) value = value > 0 ? 1.0F : 0.0F;
  const FloatVolume shrunken = *area_resized(mask, {6, 4, 16});
  const std::vector<double> expected = numbers(reference_values("model_input.json"), "mask");
  for (std::size_t i = 0; i < expected.size(); ++i) EXPECT_NEAR(shrunken.values[i], expected[i], 1e-6);
}

TEST(ModelInput, leaves_a_volume_of_the_same_size_and_gives_zeros_for_a_constant) {
  const FloatVolume volume = reference_volume();
  EXPECT_EQ(area_resized(volume, volume.extent)->values, volume.values);
  FloatVolume flat{.extent = {2, 2, 2}, .values = std::vector<float>(8, 5)};
  standardise(flat);
  EXPECT_EQ(flat.values, std::vector<float>(8, 0));
  EXPECT_FALSE(area_resized(volume, {0, 1, 1}).ok());
}

TEST(ModelInput, keeps_resized_voxels_where_they_were) {
  const Grid grid{{512, 512, 300}, Affine::scaling({0.7, 0.7, 1}, {10, -20, 30})};
  const Extent shrunken{256, 256, 64};
  const Affine affine = resized_affine(grid, shrunken);
  for (const Vec3& corner : {Vec3{-0.5, -0.5, -0.5}, Vec3{511.5, 511.5, 299.5}}) {
    Vec3 other{};
    for (std::size_t i = 0; i < 3; ++i) {
      const double ratio = static_cast<double>(shrunken[static_cast<int>(i)]) /
                           static_cast<double>(grid.extent[static_cast<int>(i)]);
      other[i] = (corner[i] + 0.5) * ratio - 0.5;
    }
    const Vec3 a = grid.affine.apply(corner);
    const Vec3 b = affine.apply(other);
    for (std::size_t i = 0; i < 3; ++i) EXPECT_NEAR(a[i], b[i], 1e-9);
  }
}

TEST(ModelInput, covers_a_volume_with_windows_half_apart) {
  const auto windows = sliding_windows({300, 288, 100}, {288, 288, 96});
  const std::vector<std::array<std::int64_t, 3>> expected{{0, 0, 0}, {0, 0, 4}, {12, 0, 0}, {12, 0, 4}};
  EXPECT_EQ(windows, expected);
  EXPECT_EQ(sliding_windows({10, 10, 10}, {288, 288, 96}).size(), 1U);
  const auto many = sliding_windows({500, 288, 96}, {288, 288, 96});
  ASSERT_EQ(many.size(), 3U);
  EXPECT_EQ(many[1][0], 144);
  EXPECT_EQ(many[2][0], 212);
}

TEST(ModelInput, weighs_the_middle_of_a_window_most) {
  const FloatVolume weights = window_weights({16, 8, 8});
  EXPECT_FLOAT_EQ(weights.values[static_cast<std::size_t>(8 + 16 * (4 + 8 * 4))], 10.0F);
  EXPECT_NEAR(weights.values[static_cast<std::size_t>(6 + 16 * (4 + 8 * 4))], 10 * std::exp(-0.5), 1e-5);
}

TEST(ModelInput, reads_scaled_values) {
  NiftiHeader header = example_header({2, 1, 1}, VoxelType::int16);
  header.slope = 2;
  header.intercept = -1000;
  NiftiImage image = NiftiImage::make(std::move(header));
  store(image.bytes(), 2, std::int16_t{100});
  EXPECT_EQ(float_volume(image)->values, (std::vector<float>{-1000, -800}));
}

}  // namespace
}  // namespace fiducial
