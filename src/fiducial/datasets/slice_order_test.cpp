#include "fiducial/datasets/slice_order.h"

#include <gtest/gtest.h>

#include "fiducial/base/temporary_folder.h"
#include "fiducial/image/nifti_example.h"

namespace fiducial {
namespace {

constexpr Extent extent{40, 30, 20};

// A body that grows from a thin neck in the last slice to the full width in the first, around the middle of a
// slice, in air.
std::vector<double> cone(double air, double tissue) {
  std::vector<double> out(static_cast<std::size_t>(extent.count()), air);
  for (std::int64_t z = 0; z < extent.z; ++z) {
    const std::int64_t half = 14 - z / 2 - (z > 10 ? 2 : 0);
    for (std::int64_t y = 15 - half; y < 15 + half; ++y) {
      for (std::int64_t x = 20 - half; x < 20 + half; ++x) {
        const bool hollow = std::abs(x - 20) < half - 3 && std::abs(y - 15) < half - 3;
        out[static_cast<std::size_t>(x + extent.x * (y + extent.y * z))] = hollow ? air : tissue;
      }
    }
  }
  return out;
}

// A box of voxels in the wide part of the body, near its edge, in slices low to high - 1.
LabelMap edge_box(std::int64_t low, std::int64_t high) {
  std::vector<LabelRun> runs;
  for (std::int64_t z = low; z < high; ++z) {
    for (std::int64_t y = 4; y < 7; ++y) {
      runs.push_back({static_cast<std::int32_t>(y + extent.y * z), 8, 14, 1});
    }
  }
  return {Grid{extent, Affine::identity()}, std::move(runs)};
}

class SliceOrder : public testing::Test {
 protected:
  std::optional<SliceOrderEvidence> look(const LabelMap& mask, const RescaleVerdict& values,
                                         double offset = 0) {
    const NiftiHeader header = example_header({extent.x, extent.y, extent.z}, VoxelType::int16);
    FIDUCIAL_ASSERT(
        write_file(folder_ / "ct.nii", example_file(header, cone(-1000 + offset, 40 + offset))).ok());
    const std::vector<LabelMap> channels{mask};
    const auto out = look_at_slice_order(folder_ / "ct.nii", values, channels);
    FIDUCIAL_ASSERT(out.ok());
    return *out;
  }

  TemporaryFolder folder_;
};

TEST_F(SliceOrder, is_right_for_a_mask_in_the_body) {
  const auto found = look(edge_box(1, 4), {.state = RescaleState::once});
  ASSERT_TRUE(found);
  EXPECT_EQ(found->voxels, 54);
  EXPECT_EQ(found->slices, 3);
  EXPECT_EQ(found->outside_as_is, 0);
  EXPECT_FALSE(found->is_reversed());
}

TEST_F(SliceOrder, is_reversed_for_a_mask_in_the_air_whose_mirror_image_is_in_the_body) {
  const auto found = look(edge_box(16, 19), {.state = RescaleState::once});
  ASSERT_TRUE(found);
  EXPECT_EQ(found->outside_as_is, 1);
  EXPECT_EQ(found->outside_reversed, 0);
  EXPECT_TRUE(found->is_reversed());
}

TEST_F(SliceOrder, is_judged_on_values_before_and_after_a_second_rescale_too) {
  EXPECT_TRUE(look(edge_box(16, 19), {.state = RescaleState::never}, 1024)->is_reversed());
  EXPECT_TRUE(look(edge_box(16, 19), {.state = RescaleState::twice}, -1024)->is_reversed());
}

TEST_F(SliceOrder, is_not_judged_by_few_voxels_or_unknown_values) {
  EXPECT_FALSE(look(edge_box(16, 17), {.state = RescaleState::once})->is_reversed());
  EXPECT_FALSE(look(edge_box(16, 19), {.state = RescaleState::unrecognised}));
  EXPECT_FALSE(look(edge_box(3, 3), {.state = RescaleState::once}));
}

TEST_F(SliceOrder, is_not_judged_on_another_grid) {
  const LabelMap other(Grid{{5, 5, 5}, Affine::identity()}, {{0, 0, 5, 1}});
  EXPECT_FALSE(look(other, {.state = RescaleState::once}));
}

TEST(OutsideOfBody, leaves_out_air_that_the_body_encloses) {
  const std::vector<float> slice{-1000, -1000, -1000, -1000, -1000,  //
                                 -1000, 40,    40,    40,    -1000,  //
                                 -1000, 40,    -1000, 40,    -1000,  //
                                 -1000, 40,    40,    40,    40,     //
                                 -1000, -1000, -1000, 40,    -1000};
  const std::vector<std::uint8_t> expected{1, 1, 1, 1, 1,  //
                                           1, 0, 0, 0, 1,  //
                                           1, 0, 0, 0, 1,  //
                                           1, 0, 0, 0, 0,  //
                                           1, 1, 1, 0, 1};
  EXPECT_EQ(outside_of_body(slice, 5, -400), expected);
}

}  // namespace
}  // namespace fiducial
