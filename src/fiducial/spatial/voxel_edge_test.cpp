#include "fiducial/spatial/voxel_edge.h"

#include <gtest/gtest.h>

#include "fiducial/spatial/surface_example.h"

namespace fiducial {
namespace {

bool has(const PointLattice& points, std::int64_t x, std::int64_t y, std::int64_t z) {
  return points.has_row(y, z) && x >= 0 && x < points.extent().x &&
         (points.row(y, z)[x / 64] >> (x % 64) & 1) == 1;
}

TEST(VoxelEdge, is_every_voxel_with_a_neighbour_outside) {
  Random random(31, "voxel edge");
  for (const Extent& extent : {Extent{140, 7, 6}, Extent{64, 4, 1}, Extent{5, 5, 5}}) {
    for (const double density : {0.3, 0.9, 0.98, 1.0}) {
      const PointLattice voxels = random_lattice(random, extent, density);
      const PointLattice edge = voxel_edge(voxels);
      for (std::int64_t z = 0; z < extent.z; ++z) {
        for (std::int64_t y = 0; y < extent.y; ++y) {
          for (std::int64_t x = 0; x < extent.x; ++x) {
            const bool inner = has(voxels, x - 1, y, z) && has(voxels, x + 1, y, z) &&
                               has(voxels, x, y - 1, z) && has(voxels, x, y + 1, z) &&
                               has(voxels, x, y, z - 1) && has(voxels, x, y, z + 1);
            ASSERT_EQ(has(edge, x, y, z), has(voxels, x, y, z) && !inner);
          }
        }
      }
    }
  }
}

TEST(VoxelEdge, of_a_cube_leaves_out_its_inside) {
  const Mask cube = mask_of({9, 9, 9}, {{{2, 2, 2}, {5, 5, 5}}});
  EXPECT_EQ(voxel_edge(lattice_of(cube, whole(cube))).count(), 125 - 27);
  EXPECT_EQ(voxel_edge(lattice_of(cube, cube.bounds())).count(), 125 - 27);
}

}  // namespace
}  // namespace fiducial
