#pragma once

#include "fiducial/geometry/affine.h"
#include "fiducial/image/mask.h"
#include "fiducial/metrics/finding_pair.h"

namespace fiducial {

// The mean of a mask's voxel centres, in mm from voxel (0, 0, 0) along the index axes. Needs a voxel.
Vec3 centroid_mm(const Mask& mask, const Vec3& spacing_mm);

// The length of the line between two points.
double distance_mm(const Vec3& a, const Vec3& b);

// One mean over the distances of both voxel edges. Needs voxels on both sides.
double pooled_surface_distance_mm(const SurfaceComparison& surfaces);

// Counts of a greedy one-to-one matching of reference entities and kept components, the nearest pair first,
// among equals the lower reference label, then the lower component. Distance is that of centroids for a focal
// finding and pooled_surface_distance_mm otherwise; a pair matches at twice the largest spacing or less.
// Unmatched components in ignored regions are not counted.
InstanceCounts match_by_distance(const FindingPair& pair);

}  // namespace fiducial
