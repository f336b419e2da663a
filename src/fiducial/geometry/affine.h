#pragma once

#include <array>
#include <optional>

namespace fiducial {

using Vec3 = std::array<double, 3>;

// Maps voxel indices to millimetres in the RAS+ world of NIfTI: x to the patient's right is negative.
struct Affine {
  // m[row][column]; the fourth column is the position of voxel (0, 0, 0).
  std::array<std::array<double, 4>, 3> m{{{1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, 0}}};

  static Affine identity() { return {}; }
  static Affine scaling(Vec3 spacing_mm, Vec3 origin_mm = {0, 0, 0});

  Vec3 apply(Vec3 voxel) const;
  Vec3 spacing_mm() const;  // lengths of the three voxel edges
  double determinant() const;
  bool finite() const;
  bool is_identity() const;

  friend bool operator==(const Affine&, const Affine&) = default;
};

// First the inner one, then the outer one.
Affine composed(const Affine& outer, const Affine& inner);

// What undoes an affine; nothing where it is singular, or so nearly that no number of it is left.
std::optional<Affine> inverse(const Affine& affine);

}  // namespace fiducial
