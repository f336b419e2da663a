#pragma once

#include "fiducial/geometry/affine.h"
#include "fiducial/spatial/surface_points.h"

namespace fiducial {

// The points of a set that have a point of the other within the tolerance, distance <= tolerance_mm.
//
// Both sets lie on the same lattice. The answer for a point is that of nearest_distances_mm, but found for 64
// points at once, by growing the rows of the other set as far as the same expression allows.
PointLattice covered_points(const PointLattice& points, const PointLattice& by, const Vec3& spacing_mm,
                            double tolerance_mm);

}  // namespace fiducial
