#pragma once

#include <vector>

#include "fiducial/base/random.h"
#include "fiducial/image/mask.h"
#include "fiducial/spatial/surface_points.h"

namespace fiducial {

// For tests: a mask in which each voxel is inside with a given probability.
inline Mask random_mask(Random& random, const Extent& extent, double density) {
  std::vector<std::uint8_t> voxels(static_cast<std::size_t>(extent.count()));
  for (std::uint8_t& voxel : voxels) voxel = random.uniform() < density ? 1 : 0;
  return Mask::from_dense(Grid{extent, {}}, voxels);
}

// For tests: the whole extent of a mask as a box.
inline VoxelBox whole(const Mask& mask) {
  return {{0, 0, 0}, {mask.extent().x, mask.extent().y, mask.extent().z}};
}

inline PointLattice random_lattice(Random& random, const Extent& extent, double density) {
  const Mask mask = random_mask(random, extent, density);
  return lattice_of(mask, whole(mask));
}

// For tests: a mask of single voxels or boxes, low corner and size.
struct ExampleBox {
  std::array<std::int64_t, 3> low;
  std::array<std::int64_t, 3> size;
};
inline Mask mask_of(const Extent& extent, const std::vector<ExampleBox>& boxes) {
  std::vector<std::uint8_t> voxels(static_cast<std::size_t>(extent.count()));
  for (const ExampleBox& box : boxes) {
    for (std::int64_t z = box.low[2]; z < box.low[2] + box.size[2]; ++z) {
      for (std::int64_t y = box.low[1]; y < box.low[1] + box.size[1]; ++y) {
        for (std::int64_t x = box.low[0]; x < box.low[0] + box.size[0]; ++x) {
          voxels.at(static_cast<std::size_t>(x + extent.x * (y + extent.y * z))) = 1;
        }
      }
    }
  }
  return Mask::from_dense(Grid{extent, {}}, voxels);
}

}  // namespace fiducial
