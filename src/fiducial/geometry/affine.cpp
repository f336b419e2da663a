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

Affine composed(const Affine& outer, const Affine& inner) {
  Affine out;
  for (std::size_t row = 0; row < 3; ++row) {
    for (std::size_t column = 0; column < 4; ++column) {
      double sum = column == 3 ? outer.m[row][3] : 0;
      for (std::size_t k = 0; k < 3; ++k) sum += outer.m[row][k] * inner.m[k][column];
      out.m[row][column] = sum;
    }
  }
  return out;
}

std::optional<Affine> inverse(const Affine& affine) {
  const double whole = affine.determinant();
  if (whole == 0 || !std::isfinite(whole)) return std::nullopt;
  const auto& m = affine.m;
  Affine out;
  for (std::size_t row = 0; row < 3; ++row) {
    const std::size_t b = (row + 1) % 3;
    const std::size_t c = (row + 2) % 3;
    for (std::size_t column = 0; column < 3; ++column) {
      const std::size_t d = (column + 1) % 3;
      const std::size_t e = (column + 2) % 3;
      out.m[row][column] = (m[d][b] * m[e][c] - m[d][c] * m[e][b]) / whole;
    }
  }
  for (std::size_t row = 0; row < 3; ++row) {
    out.m[row][3] = -(out.m[row][0] * m[0][3] + out.m[row][1] * m[1][3] + out.m[row][2] * m[2][3]);
  }
  if (!out.finite()) return std::nullopt;
  return out;
}

}  // namespace fiducial
