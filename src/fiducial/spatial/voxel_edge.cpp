#include "fiducial/spatial/voxel_edge.h"

namespace fiducial {

PointLattice voxel_edge(const PointLattice& voxels) {
  const Extent& extent = voxels.extent();
  PointLattice out(extent);
  const std::vector<std::uint64_t> nothing(static_cast<std::size_t>(voxels.words()));
  const auto row_or_nothing = [&](std::int64_t y, std::int64_t z) {
    return voxels.has_row(y, z) ? voxels.row(y, z) : nothing.data();
  };
  for (std::int64_t z = 0; z < extent.z; ++z) {
    for (std::int64_t y = 0; y < extent.y; ++y) {
      const std::uint64_t* row = voxels.row(y, z);
      const std::uint64_t* around[] = {row_or_nothing(y - 1, z), row_or_nothing(y + 1, z),
                                       row_or_nothing(y, z - 1), row_or_nothing(y, z + 1)};
      std::uint64_t* edge = out.row(y, z);
      for (std::int64_t w = 0; w < voxels.words(); ++w) {
        const std::uint64_t before = row[w] << 1 | row[w - 1] >> 63;
        const std::uint64_t after = row[w] >> 1 | row[w + 1] << 63;
        const std::uint64_t inner =
            before & after & around[0][w] & around[1][w] & around[2][w] & around[3][w];
        edge[w] = row[w] & ~inner;
      }
    }
  }
  return out;
}

}  // namespace fiducial
