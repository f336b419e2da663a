#include "fiducial/image/mask.h"

#include <limits>

#include <gtest/gtest.h>

#include "fiducial/base/random.h"

namespace fiducial {
namespace {

using Dense = std::vector<std::uint8_t>;

Grid grid_of(std::int64_t x, std::int64_t y, std::int64_t z) { return {{x, y, z}, {}}; }

Dense random_voxels(Random& random, const Grid& grid, double density) {
  Dense out(static_cast<std::size_t>(grid.extent.count()));
  for (std::uint8_t& voxel : out) voxel = random.uniform() < density ? 1 : 0;
  return out;
}

void expect_invariant(const Mask& mask) {
  std::int64_t count = 0;
  for (std::size_t i = 0; i < mask.runs().size(); ++i) {
    const MaskRun& run = mask.runs()[i];
    EXPECT_LT(run.begin, run.end);
    EXPECT_GE(run.begin, 0);
    EXPECT_LE(run.end, mask.extent().x);
    EXPECT_LT(run.row, mask.extent().rows());
    count += run.end - run.begin;
    if (i == 0) continue;
    const MaskRun& before = mask.runs()[i - 1];
    EXPECT_TRUE(before.row < run.row || (before.row == run.row && before.end < run.begin));
  }
  EXPECT_EQ(mask.count(), count);
}

class RandomMasks : public testing::TestWithParam<double> {};

TEST_P(RandomMasks, come_back_from_runs_voxel_by_voxel) {
  Random random(1);
  for (int trial = 0; trial < 50; ++trial) {
    const Grid grid = grid_of(random.between(1, 20), random.between(1, 6), random.between(1, 6));
    const Dense voxels = random_voxels(random, grid, GetParam());
    const Mask mask = Mask::from_dense(grid, voxels);
    expect_invariant(mask);
    ASSERT_EQ(mask.dense(), voxels);
  }
}

TEST_P(RandomMasks, obey_set_algebra_voxel_by_voxel) {
  Random random(2);
  for (int trial = 0; trial < 100; ++trial) {
    const Grid grid = grid_of(random.between(1, 20), random.between(1, 6), random.between(1, 6));
    const Dense a = random_voxels(random, grid, GetParam());
    const Dense b = random_voxels(random, grid, random.uniform());
    Dense both(a.size());
    Dense either(a.size());
    Dense only_a(a.size());
    for (std::size_t i = 0; i < a.size(); ++i) {
      both[i] = a[i] & b[i];
      either[i] = a[i] | b[i];
      only_a[i] = a[i] != 0 && b[i] == 0 ? 1 : 0;
    }
    const Mask mask_a = Mask::from_dense(grid, a);
    const Mask mask_b = Mask::from_dense(grid, b);
    ASSERT_EQ(intersected(mask_a, mask_b), Mask::from_dense(grid, both));
    ASSERT_EQ(united(mask_a, mask_b), Mask::from_dense(grid, either));
    ASSERT_EQ(subtracted(mask_a, mask_b), Mask::from_dense(grid, only_a));
  }
}

TEST_P(RandomMasks, have_the_bounds_of_their_voxels) {
  Random random(3);
  for (int trial = 0; trial < 50; ++trial) {
    const Grid grid = grid_of(random.between(1, 9), random.between(1, 6), random.between(1, 6));
    const Mask mask = Mask::from_dense(grid, random_voxels(random, grid, GetParam() / 5));
    const Dense voxels = mask.dense();
    VoxelBox box{{99, 99, 99}, {0, 0, 0}};
    for (std::int64_t i = 0; i < grid.extent.count(); ++i) {
      if (voxels[static_cast<std::size_t>(i)] == 0) continue;
      const std::int64_t at[] = {i % grid.extent.x, i / grid.extent.x % grid.extent.y,
                                 i / grid.extent.x / grid.extent.y};
      for (std::size_t axis = 0; axis < 3; ++axis) {
        box.low[axis] = std::min(box.low[axis], at[axis]);
        box.high[axis] = std::max(box.high[axis], at[axis] + 1);
      }
    }
    ASSERT_EQ(mask.bounds(), mask.empty() ? VoxelBox{} : box);
  }
}

INSTANTIATE_TEST_SUITE_P(density, RandomMasks, testing::Values(0.0, 0.05, 0.5, 0.95, 1.0),
                         [](const auto& each) {
                           return "case" + std::string(1, static_cast<char>('a' + each.index));
                         });

TEST(Mask, is_empty_by_default) {
  const Mask mask(grid_of(4, 5, 6));
  EXPECT_TRUE(mask.empty());
  EXPECT_EQ(mask.count(), 0);
  EXPECT_EQ(mask.bounds(), VoxelBox{});
}

TEST(Mask, merges_sorted_runs_that_touch_or_overlap) {
  const Mask mask = Mask::from_sorted_runs(
      grid_of(20, 2, 1), {{0, 1, 3}, {0, 3, 5}, {0, 4, 4}, {0, 7, 12}, {0, 8, 9}, {1, 12, 20}});
  EXPECT_EQ(std::vector(mask.runs().begin(), mask.runs().end()),
            (std::vector<MaskRun>{{0, 1, 5}, {0, 7, 12}, {1, 12, 20}}));
  EXPECT_EQ(mask.count(), 4 + 5 + 8);
}

TEST(Mask, drops_empty_runs) {
  EXPECT_TRUE(Mask::from_sorted_runs(grid_of(9, 1, 1), {{0, 2, 2}, {0, 5, 5}}).empty());
}

TEST(Mask, never_joins_the_end_of_a_row_with_the_start_of_the_next) {
  const Mask mask = Mask::from_dense(grid_of(2, 2, 1), Dense{0, 1, 1, 0});
  EXPECT_EQ(mask.runs().size(), 2U);
  EXPECT_EQ(united(mask, mask), mask);
}

TEST(Mask, takes_any_byte_but_zero_as_inside) {
  EXPECT_EQ(Mask::from_dense(grid_of(3, 1, 1), Dense{0, 255, 7}).count(), 2);
}

TEST(Mask, differs_when_only_the_grid_differs) {
  EXPECT_NE(Mask(grid_of(1, 2, 3)), Mask(Grid{{1, 2, 3}, Affine::scaling({1, 1, 2})}));
}

TEST(Mask, keeps_the_grid_of_the_first_operand) {
  const Grid placed{{2, 1, 1}, Affine::scaling({1, 1, 2})};
  EXPECT_EQ(united(Mask(placed), Mask(grid_of(2, 1, 1))).grid(), placed);
}

TEST(MaskDeathTest, refuses_set_algebra_across_extents) {
  EXPECT_EXIT(united(Mask(grid_of(1, 2, 3)), Mask(grid_of(3, 2, 1))), testing::ExitedWithCode(70), "extent");
}

TEST(CheckMaskExtent, refuses_more_rows_than_32_bits_number) {
  constexpr std::int64_t most = std::numeric_limits<std::int32_t>::max();
  EXPECT_TRUE(check_mask_extent({512, 512, 600}).ok());
  EXPECT_TRUE(check_mask_extent({most - 1, 1, 1}).ok());
  EXPECT_TRUE(check_mask_extent({1, most - 1, 1}).ok());
  EXPECT_FALSE(check_mask_extent({most, 1, 1}).ok());
  EXPECT_FALSE(check_mask_extent({1, 65536, 32768}).ok());
  EXPECT_EQ(check_mask_extent({1, 65536, 65536}).error().message(),
            "a mask of 1 x 65536 x 65536 voxels has more rows than 32 bits can number");
}

}  // namespace
}  // namespace fiducial
