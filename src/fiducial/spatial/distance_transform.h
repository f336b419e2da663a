#pragma once

#include <cstdint>
#include <vector>

#include "fiducial/geometry/affine.h"
#include "fiducial/spatial/surface_points.h"

namespace fiducial {

// Squared distance in mm2 from every point of the lattice to the nearest of the set, x fastest; infinity when
// the set is empty.
//
// Exact: each value is the least of ((dx sx)^2 + (dy sy)^2) + (dz sz)^2 as doubles give it. Rounding is
// monotone, so taking the least along one axis after the other loses nothing. Costs O(points x distance) and
// memory for the whole lattice: the obvious version that faster ones are held against.
std::vector<double> squared_distance_transform(const PointLattice& points, const Vec3& spacing_mm);

}  // namespace fiducial
