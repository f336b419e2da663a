#include "fiducial/spatial/nearest_point.h"

#include <cmath>

#include <gtest/gtest.h>

#include "fiducial/spatial/distance_transform.h"
#include "fiducial/spatial/surface_example.h"
#include "fiducial/spatial/voxel_edge.h"

namespace fiducial {
namespace {

std::vector<double> by_transform(const PointLattice& from, const PointLattice& to, const Vec3& spacing_mm) {
  const std::vector<double> squares = squared_distance_transform(to, spacing_mm);
  const Extent& extent = to.extent();
  std::vector<double> out;
  from.for_each([&](std::int64_t x, std::int64_t y, std::int64_t z) {
    out.push_back(std::sqrt(squares[static_cast<std::size_t>(x + extent.x * (y + extent.y * z))]));
  });
  return out;
}

TEST(NearestPoint, equals_the_distance_transform_on_noise_of_any_density) {
  Random random(12, "nearest noise");
  for (const Extent& extent : {Extent{70, 9, 8}, Extent{5, 40, 33}, Extent{130, 3, 1}, Extent{1, 1, 90}}) {
    for (const Vec3& spacing_mm : {Vec3{1, 1, 1}, Vec3{0.7, 0.75, 1.12}, Vec3{0.05, 3, 1}}) {
      for (const double density : {0.001, 0.01, 0.1, 0.6}) {
        const PointLattice from = random_lattice(random, extent, 0.2);
        const PointLattice to = random_lattice(random, extent, density);
        if (to.empty()) continue;
        ASSERT_EQ(nearest_distances_mm(from, to, spacing_mm), by_transform(from, to, spacing_mm))
            << extent.text() << " density " << density;
      }
    }
  }
}

TEST(NearestPoint, equals_the_distance_transform_on_surfaces_far_apart) {
  const Extent extent{150, 60, 40};
  const Mask here = mask_of(extent, {{{0, 0, 0}, {20, 20, 10}}, {{40, 5, 5}, {3, 3, 3}}});
  const Mask there = mask_of(extent, {{{130, 40, 30}, {20, 20, 10}}, {{70, 50, 2}, {2, 2, 2}}});
  const PointLattice a = voxel_edge(lattice_of(here, whole(here)));
  const PointLattice b = voxel_edge(lattice_of(there, whole(there)));
  for (const Vec3& spacing_mm : {Vec3{1, 1, 1}, Vec3{0.7, 0.7, 1.25}, Vec3{2, 0.4, 3}}) {
    EXPECT_EQ(nearest_distances_mm(a, b, spacing_mm), by_transform(a, b, spacing_mm));
    EXPECT_EQ(nearest_distances_mm(b, a, spacing_mm), by_transform(b, a, spacing_mm));
  }
}

TEST(NearestPoint, sees_points_32_steps_to_either_side) {
  PointLattice from({200, 1, 1});
  from.row(0, 0)[1] = 1;  // x = 64
  for (const std::int64_t x : {31, 32, 33, 95, 96, 97}) {
    PointLattice to({200, 1, 1});
    to.row(0, 0)[x / 64] = std::uint64_t{1} << (x % 64);
    EXPECT_EQ(nearest_distances_mm(from, to, {0.5, 1, 1}),
              std::vector<double>{0.5 * static_cast<double>(std::abs(x - 64))});
  }
}

TEST(NearestPoint, is_zero_where_the_sets_agree) {
  Random random(13, "nearest itself");
  const PointLattice points = random_lattice(random, {30, 20, 10}, 0.1);
  for (const double distance : nearest_distances_mm(points, points, {0.7, 0.8, 0.9})) {
    EXPECT_EQ(distance, 0);
  }
}

}  // namespace
}  // namespace fiducial
