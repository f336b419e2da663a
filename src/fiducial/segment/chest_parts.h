#pragma once

#include <optional>
#include <string>

#include "fiducial/segment/hounsfield_grid.h"
#include "fiducial/segment/voxel_bits.h"

namespace fiducial {

// The steps of segmenting a chest, on a coarse grid towards left, back and head.

// The trunk with all that is inside it.
PointLattice trunk_of(const HounsfieldGrid& ct);

PointLattice bones_of(const HounsfieldGrid& ct, const PointLattice& trunk);

// Where the spine stands along x. Where there is none, the middle of the trunk, or the edge of the picture
// that cuts the trunk off.
double midline_of(const HounsfieldGrid& ct, const PointLattice& trunk, const PointLattice& bones);

// The trachea and the bronchi that can be followed from it without spilling into a lung; empty where no
// trachea is seen.
PointLattice airways_of(const HounsfieldGrid& ct, const PointLattice& trunk, double midline_x);

struct LungSides {
  PointLattice left;
  PointLattice right;
  std::string detail;  // how the sides were told apart
};

// What lungs are looked for in.
struct ChestFrameParts {
  const PointLattice& trunk;
  const PointLattice& airways;
  double midline_x = 0;
};

// Both lungs without airways; empty ones where none is seen.
LungSides lungs_of(const HounsfieldGrid& ct, const ChestFrameParts& chest);

// Air and partial volumes of it.
PointLattice air_of(const HounsfieldGrid& ct);

// HU that half of the voxels do not exceed; 0 of none.
int median_hu(const HounsfieldGrid& ct, const PointLattice& bits);

inline constexpr int lung_border_hu = -400;  // half way between lung and soft tissue

}  // namespace fiducial
