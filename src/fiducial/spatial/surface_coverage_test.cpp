#include "fiducial/spatial/surface_coverage.h"

#include <gtest/gtest.h>

#include "fiducial/spatial/nearest_point.h"
#include "fiducial/spatial/surface_example.h"

namespace fiducial {
namespace {

TEST(SurfaceCoverage, equals_comparing_every_distance_with_the_tolerance) {
  Random random(21, "coverage");
  for (const Extent& extent : {Extent{150, 12, 9}, Extent{64, 5, 5}, Extent{3, 30, 20}}) {
    for (const Vec3& spacing_mm : {Vec3{1, 1, 1}, Vec3{0.7, 0.75, 1.12}, Vec3{0.02, 1, 1}}) {
      const PointLattice points = random_lattice(random, extent, 0.2);
      const PointLattice by = random_lattice(random, extent, 0.01);
      if (by.empty()) continue;
      const std::vector<double> distances = nearest_distances_mm(points, by, spacing_mm);
      for (const double tolerance_mm : {0.0, 0.7, 1.0, 2.24, 9.0}) {
        const PointLattice covered = covered_points(points, by, spacing_mm, tolerance_mm);
        std::size_t index = 0;
        points.for_each([&](std::int64_t x, std::int64_t y, std::int64_t z) {
          const bool expected = distances[index++] <= tolerance_mm;
          EXPECT_EQ((covered.row(y, z)[x / 64] >> (x % 64) & 1) == 1, expected);
        });
        EXPECT_EQ(covered.count(), std::count_if(distances.begin(), distances.end(),
                                                 [&](double d) { return d <= tolerance_mm; }));
      }
    }
  }
}

TEST(SurfaceCoverage, counts_a_distance_equal_to_the_tolerance) {
  // Three steps of 0.1 mm are 0.30000000000000004 mm, more than 0.3.
  PointLattice here({8, 1, 1});
  PointLattice there({8, 1, 1});
  here.row(0, 0)[0] = 1;
  there.row(0, 0)[0] = 8;
  EXPECT_EQ(covered_points(here, there, {0.1, 1, 1}, 0.3).count(), 0);
  EXPECT_EQ(covered_points(here, there, {0.1, 1, 1}, 3 * 0.1).count(), 1);
  EXPECT_EQ(covered_points(here, there, {0.5, 1, 1}, 1.5).count(), 1);
}

TEST(SurfaceCoverage, is_empty_when_either_set_is) {
  Random random(22, "empty coverage");
  const PointLattice some = random_lattice(random, {9, 8, 7}, 0.2);
  const PointLattice none({9, 8, 7});
  EXPECT_TRUE(covered_points(some, none, {1, 1, 1}, 100).empty());
  EXPECT_TRUE(covered_points(none, some, {1, 1, 1}, 100).empty());
}

}  // namespace
}  // namespace fiducial
