#pragma once

#include "fiducial/geometry/affine.h"
#include "fiducial/geometry/extent.h"

namespace fiducial {

// Where the voxels of an array lie in the patient.
struct Grid {
  Extent extent;
  Affine affine;

  friend bool operator==(const Grid&, const Grid&) = default;
};

// Header text is rounded by some writers; real differences are at least a fraction of a voxel.
inline constexpr double default_grid_tolerance_mm = 0.01;

// Whether the extents are equal and no corner voxel lies further apart than the tolerance.
bool same_grid(const Grid& a, const Grid& b, double tolerance_mm = default_grid_tolerance_mm);

// The largest distance between corresponding corner voxels of two grids of equal extent.
double largest_corner_distance_mm(const Grid& a, const Grid& b);

}  // namespace fiducial
