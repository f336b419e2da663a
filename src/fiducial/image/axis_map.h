#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "fiducial/base/result.h"
#include "fiducial/geometry/grid.h"

namespace fiducial {

// Where the voxels of a target grid lie among the voxels of a source grid.
struct GridMap {
  Affine voxels;  // target voxel to source voxel
  Extent source;
  Extent target;
  // Where every source axis follows one target axis alone: which.
  std::optional<std::array<int, 3>> source_axis_of;  // by target axis

  // The place of a target voxel, with noise of the arithmetic taken off halves and wholes.
  Vec3 place(std::int64_t x, std::int64_t y, std::int64_t z) const;
};

// Refuses singular affines.
Result<GridMap> grid_map(const Grid& source, const Grid& target);

// Whether a place lies in the boxes of an axis of so many voxels.
bool within_axis(double place, std::int64_t size);

// The voxel whose box holds a place; half way, the higher one.
std::int64_t nearest_voxel(double place);

// The two voxels around a place and the share of the higher one; at the ends of an axis both are its last.
struct LinearTap {
  std::int64_t low = -1;  // -1: outside
  std::int64_t high = -1;
  double share = 0;
};
LinearTap linear_tap(double place, std::int64_t size);

// Of a map whose axes are apart: where the voxels of one target axis lie on its source axis.
std::vector<double> axis_places(const GridMap& map, int target_axis);

}  // namespace fiducial
