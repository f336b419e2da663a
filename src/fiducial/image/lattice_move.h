#pragma once

#include <optional>

#include "fiducial/geometry/orientation.h"
#include "fiducial/image/mask.h"

namespace fiducial {

// How the voxels of one grid lie on another without interpolation: axes rearranged, then shifted by whole
// voxels. Voxel v of the rearranged source is voxel v + shift of the target.
struct LatticeMove {
  Reorientation axes;
  std::array<std::int64_t, 3> shift{0, 0, 0};

  bool is_identity() const { return axes.is_identity() && shift == std::array<std::int64_t, 3>{0, 0, 0}; }
  std::string text() const;  // "flip x, shifted by (72, 13, 24)"
};

// Nothing where the grids do not share a lattice: other spacing, other directions, or a shift by a fraction
// of a voxel of more than the tolerance.
std::optional<LatticeMove> lattice_move(const Grid& source, const Grid& target, double tolerance_mm = 0.05);

// The voxels of a mask that lie inside the target, on its grid.
Mask moved(const Mask& mask, const LatticeMove& move, const Grid& target);

}  // namespace fiducial
