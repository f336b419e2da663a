#pragma once

#include "fiducial/spatial/surface_points.h"

namespace fiducial {

// The voxels that have one of their 6 neighbours outside the set; outside the lattice nothing is inside.
PointLattice voxel_edge(const PointLattice& voxels);

}  // namespace fiducial
