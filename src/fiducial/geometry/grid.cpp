#include "fiducial/geometry/grid.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace fiducial {

double largest_corner_distance_mm(const Grid& a, const Grid& b) {
  double largest = 0;
  for (unsigned corner = 0; corner < 8; ++corner) {
    Vec3 voxel{};
    for (int axis = 0; axis < 3; ++axis) {
      const bool far_end = ((corner >> static_cast<unsigned>(axis)) & 1U) != 0;
      voxel[static_cast<std::size_t>(axis)] = far_end ? static_cast<double>(a.extent[axis] - 1) : 0.0;
    }
    const Vec3 p = a.affine.apply(voxel);
    const Vec3 q = b.affine.apply(voxel);
    const double distance = std::hypot(p[0] - q[0], p[1] - q[1], p[2] - q[2]);
    // Affines so large that places overflow agree with nothing.
    if (std::isnan(distance)) return std::numeric_limits<double>::infinity();
    largest = std::max(largest, distance);
  }
  return largest;
}

bool same_grid(const Grid& a, const Grid& b, double tolerance_mm) {
  return a.extent == b.extent && largest_corner_distance_mm(a, b) <= tolerance_mm;
}

}  // namespace fiducial
