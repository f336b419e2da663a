#include "fiducial/geometry/affine.h"

#include <cmath>

namespace fiducial {

Affine Affine::scaling(Vec3 spacing_mm, Vec3 origin_mm) {
  Affine out;
  for (std::size_t i = 0; i < 3; ++i) {
    out.m[i][i] = spacing_mm[i];
    out.m[i][3] = origin_mm[i];
  }
  return out;
}

Vec3 Affine::apply(Vec3 voxel) const {
  Vec3 out{};
  for (std::size_t i = 0; i < 3; ++i) {
    out[i] = m[i][0] * voxel[0] + m[i][1] * voxel[1] + m[i][2] * voxel[2] + m[i][3];
  }
  return out;
}

Vec3 Affine::spacing_mm() const {
  Vec3 out{};
  for (std::size_t j = 0; j < 3; ++j) {
    out[j] = std::sqrt(m[0][j] * m[0][j] + m[1][j] * m[1][j] + m[2][j] * m[2][j]);
  }
  return out;
}

double Affine::determinant() const {
  return m[0][0] * (m[1][1] * m[2][2] - m[1][2] * m[2][1]) -
         m[0][1] * (m[1][0] * m[2][2] - m[1][2] * m[2][0]) +
         m[0][2] * (m[1][0] * m[2][1] - m[1][1] * m[2][0]);
}

bool Affine::finite() const {
  for (const auto& row : m) {
    for (const double value : row) {
      if (!std::isfinite(value)) return false;
    }
  }
  return true;
}

bool Affine::is_identity() const { return *this == identity(); }

}  // namespace fiducial
