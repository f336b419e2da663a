#include "fiducial/segment/voxel_bits.h"

#include <cmath>

#include <gtest/gtest.h>

#include "fiducial/base/random.h"

namespace fiducial {
namespace {

PointLattice random_bits(const Extent& extent, std::uint64_t seed, std::uint64_t one_in) {
  Random random(seed);
  return bits_where(extent,
                    [&](std::int64_t, std::int64_t, std::int64_t) { return random.below(one_in) == 0; });
}

bool has(const PointLattice& bits, std::int64_t x, std::int64_t y, std::int64_t z) {
  return x >= 0 && x < bits.extent().x && bits.has_row(y, z) && (bits.row(y, z)[x / 64] >> (x % 64) & 1) != 0;
}

TEST(VoxelBits, become_masks_and_back) {
  for (const std::int64_t width : {1, 63, 64, 65, 130}) {
    const PointLattice bits = random_bits({width, 4, 3}, 7, 2);
    const Mask mask = mask_of_bits(bits);
    EXPECT_EQ(mask.count(), bits.count());
    EXPECT_EQ(mask_of_bits(bits_of_mask(mask)), mask);
    EXPECT_EQ(mask_of_bits(outside_of(bits)).count(), width * 12 - bits.count());
    bits.for_each([&](std::int64_t x, std::int64_t y, std::int64_t z) {
      EXPECT_NE(mask.dense()[static_cast<std::size_t>(x + width * (y + 4 * z))], 0);
    });
  }
}

TEST(VoxelBits, grow_by_a_step_to_face_neighbours) {
  const PointLattice bits = random_bits({130, 6, 5}, 3, 40);
  const PointLattice larger = grown(bits, {1, 1, 1}, 1);
  for (std::int64_t z = 0; z < 5; ++z) {
    for (std::int64_t y = 0; y < 6; ++y) {
      for (std::int64_t x = 0; x < 130; ++x) {
        const bool near = has(bits, x, y, z) || has(bits, x - 1, y, z) || has(bits, x + 1, y, z) ||
                          has(bits, x, y - 1, z) || has(bits, x, y + 1, z) || has(bits, x, y, z - 1) ||
                          has(bits, x, y, z + 1);
        EXPECT_EQ(has(larger, x, y, z), near) << x << " " << y << " " << z;
      }
    }
  }
}

TEST(VoxelBits, grow_to_about_a_ball_whatever_the_spacing) {
  for (const Vec3& spacing : {Vec3{1, 1, 1}, Vec3{1, 1, 3}, Vec3{2, 1, 1.5}}) {
    PointLattice point({41, 41, 41});
    set_bits(point.row(20, 20), 20, 21);
    grown(point, spacing, 9).for_each([&](std::int64_t x, std::int64_t y, std::int64_t z) {
      const double r =
          std::hypot(static_cast<double>(x - 20) * spacing[0], static_cast<double>(y - 20) * spacing[1],
                     static_cast<double>(z - 20) * spacing[2]);
      EXPECT_LT(r, 9 * 1.5 + 1.5);
    });
    const VoxelBox box = mask_of_bits(grown(point, spacing, 9)).bounds();
    for (std::size_t i = 0; i < 3; ++i) {
      EXPECT_NEAR(static_cast<double>(box.high[i] - box.low[i]) * spacing[i], 19, 2.5 * spacing[i]);
    }
  }
}

TEST(VoxelBits, shrink_from_what_is_outside_and_not_from_the_edge_of_the_volume) {
  const PointLattice all =
      bits_where({70, 5, 5}, [](std::int64_t, std::int64_t, std::int64_t) { return true; });
  EXPECT_EQ(shrunk(all, {1, 1, 1}, 2).count(), all.count());
  const PointLattice half =
      bits_where({70, 5, 5}, [](std::int64_t x, std::int64_t, std::int64_t) { return x < 30; });
  EXPECT_EQ(mask_of_bits(shrunk(half, {1, 1, 1}, 2)).bounds().high[0], 28);
}

TEST(VoxelBits, close_gaps_and_open_specks) {
  const PointLattice wall =
      bits_where({60, 9, 9}, [](std::int64_t x, std::int64_t, std::int64_t) { return x % 10 != 5; });
  EXPECT_EQ(closed(wall, {1, 1, 1}, 2).count(), 60 * 81);
  PointLattice speck({60, 9, 9});
  set_bits(speck.row(4, 4), 30, 31);
  EXPECT_TRUE(opened(speck, {1, 1, 1}, 1).empty());
}

TEST(VoxelBits, fill_holes_of_slices_and_nothing_open) {
  const PointLattice ring = bits_where({20, 20, 2}, [](std::int64_t x, std::int64_t y, std::int64_t z) {
    const bool edge = x == 3 || x == 12 || y == 3 || y == 12;
    const bool inside = x >= 3 && x <= 12 && y >= 3 && y <= 12;
    return edge && inside && (z == 0 || x != 12);
  });
  const PointLattice full = slices_filled(ring);
  EXPECT_EQ(mask_of_slice(full, 0).count(), 100);
  EXPECT_EQ(mask_of_slice(full, 1).count(), mask_of_slice(ring, 1).count());
}

TEST(VoxelBits, spread_inside_what_is_allowed_only) {
  const PointLattice road = bits_where(
      {90, 3, 3}, [](std::int64_t x, std::int64_t y, std::int64_t z) { return y == 1 && z == 1 && x != 70; });
  PointLattice seed({90, 3, 3});
  set_bits(seed.row(1, 1), 10, 11);
  EXPECT_EQ(spread(seed, road, 5).count(), 11);
  EXPECT_EQ(spread(seed, road, 1000).count(), 70);
}

}  // namespace
}  // namespace fiducial
