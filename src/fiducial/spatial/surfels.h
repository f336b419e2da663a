#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "fiducial/geometry/affine.h"
#include "fiducial/spatial/surface_points.h"

namespace fiducial {

// The surface of a mask as the corners of the voxel grid that have voxels inside and outside around them.
//
// Corner (x, y, z) is the low corner of voxel (x, y, z), so the lattice is one larger than that of the
// voxels. The code of a corner says which of its 8 voxels are inside: bit 7 is voxel (x-1, y-1, z-1), then z
// varies fastest and x slowest, down to bit 0, voxel (x, y, z).
struct Surfels {
  PointLattice corners;
  std::vector<std::uint8_t> codes;  // beside corners.for_each
};

Surfels surfels(const PointLattice& voxels);

// The contour of a mask of one slice: as the surface of infinitely many equal slices, seen in one plane of
// corners. The areas of a spacing with 1 along z are then lengths.
Surfels contour(const PointLattice& pixels);

// The area of the surface element of each code, in mm2: marching cubes with surfaces halfway between voxel
// centres. Corners that touch only across a face or the cube are kept apart, and a code has the area of its
// complement, as in the surface-distance package.
std::array<double, 256> surfel_areas_mm2(const Vec3& spacing_mm);

}  // namespace fiducial
