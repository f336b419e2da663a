#include "fiducial/spatial/distance_transform.h"

#include <cmath>
#include <limits>

#include <gtest/gtest.h>

#include "fiducial/spatial/surface_example.h"

namespace fiducial {
namespace {

using Place3 = std::array<std::int64_t, 3>;

std::vector<Place3> places(const PointLattice& points) {
  std::vector<Place3> out;
  points.for_each([&](std::int64_t x, std::int64_t y, std::int64_t z) { out.push_back({x, y, z}); });
  return out;
}

double square(std::int64_t steps, double spacing) {
  const double mm = static_cast<double>(steps) * spacing;
  return mm * mm;
}

// Every pair of a point and a place, compared.
std::vector<double> obvious_transform(const PointLattice& points, const Vec3& spacing_mm) {
  std::vector<double> out;
  const Extent& extent = points.extent();
  for (std::int64_t z = 0; z < extent.z; ++z) {
    for (std::int64_t y = 0; y < extent.y; ++y) {
      for (std::int64_t x = 0; x < extent.x; ++x) {
        double best = std::numeric_limits<double>::infinity();
        for (const Place3& p : places(points)) {
          best = std::min(best, (square(p[0] - x, spacing_mm[0]) + square(p[1] - y, spacing_mm[1])) +
                                    square(p[2] - z, spacing_mm[2]));
        }
        out.push_back(best);
      }
    }
  }
  return out;
}

TEST(DistanceTransform, equals_the_nearest_of_all_points_to_the_last_bit) {
  Random random(11, "distance transform");
  for (const Vec3& spacing_mm : {Vec3{1, 1, 1}, Vec3{0.7, 0.75, 1.12}, Vec3{0.3, 2.1, 0.9}}) {
    for (const double density : {0.002, 0.02, 0.3}) {
      const PointLattice points = random_lattice(random, {13, 11, 9}, density);
      EXPECT_EQ(squared_distance_transform(points, spacing_mm), obvious_transform(points, spacing_mm));
    }
  }
}

TEST(DistanceTransform, is_infinite_without_points) {
  for (const double value : squared_distance_transform(PointLattice({3, 2, 2}), {1, 1, 1})) {
    EXPECT_EQ(value, std::numeric_limits<double>::infinity());
  }
}

}  // namespace
}  // namespace fiducial
