#include "fiducial/image/formats/world_space.h"

namespace fiducial {

Affine affine_in_ras(const std::array<Vec3, 3>& steps, const Vec3& origin, const WorldSigns& signs) {
  Affine out;
  for (std::size_t row = 0; row < 3; ++row) {
    const double sign = signs[row];
    for (std::size_t axis = 0; axis < 3; ++axis) out.m[row][axis] = steps[axis][row] * sign + 0.0;
    out.m[row][3] = origin[row] * sign + 0.0;
  }
  return out;
}

}  // namespace fiducial
