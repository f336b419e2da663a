#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "fiducial/geometry/grid.h"

namespace fiducial {

using Voxel = std::array<std::int64_t, 3>;

// Where the voxels of a phantom lie in the chest of standard size: axes towards left, back and head, origin
// on the midline, z counted from the lowest slice.
struct ChestFrame {
  Extent extent;
  Vec3 spacing_mm{1, 1, 1};
  Vec3 body_scale{1, 1, 1};  // this patient's size over the standard one
  double scoliosis_mm = 0;   // how far this patient's chest bends to the left at its middle

  Vec3 position(const Voxel& voxel) const;
  Voxel nearest_voxel(const Vec3& position) const;  // may lie outside the extent
  bool contains(const Voxel& voxel) const;
  std::size_t index(const Voxel& voxel) const;
  Affine affine() const;  // LPS array axes in NIfTI's RAS+ world
  Grid grid() const { return {extent, affine()}; }
};

// Calls visit(voxel, index, position) for the voxels of the frame in a box around a point, x fastest.
template <typename Visit>
void for_each_voxel_near(const ChestFrame& frame, const Vec3& low, const Vec3& high, Visit visit);

// A painted chest: Hounsfield units and organ labels, x fastest.
struct ChestVolume {
  ChestFrame frame;
  std::vector<std::int16_t> hu;
  std::vector<std::uint8_t> organs;
};

template <typename Visit>
void for_each_voxel_near(const ChestFrame& frame, const Vec3& low, const Vec3& high, Visit visit) {
  // The bend may be greatest between the corners.
  const double bend_mm = frame.scoliosis_mm < 0 ? -frame.scoliosis_mm : frame.scoliosis_mm;
  Voxel first = frame.nearest_voxel({low[0] - bend_mm, low[1], low[2]});
  Voxel last = frame.nearest_voxel({high[0] + bend_mm, high[1], high[2]});
  for (std::size_t i = 0; i < 3; ++i) {
    first[i] = first[i] > 1 ? first[i] - 1 : 0;
    const std::int64_t end = frame.extent[static_cast<int>(i)] - 1;
    last[i] = last[i] + 1 < end ? last[i] + 1 : end;
  }
  for (std::int64_t z = first[2]; z <= last[2]; ++z) {
    for (std::int64_t y = first[1]; y <= last[1]; ++y) {
      for (std::int64_t x = first[0]; x <= last[0]; ++x) {
        const Voxel voxel{x, y, z};
        visit(voxel, frame.index(voxel), frame.position(voxel));
      }
    }
  }
}

}  // namespace fiducial
