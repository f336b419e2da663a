#pragma once

#include <cstdint>
#include <vector>

#include "fiducial/image/label_map.h"
#include "fiducial/image/mask.h"

namespace fiducial {

// Which voxels touch: by faces (6), also by edges (18), also by corners (26).
enum class Connectivity { faces6 = 6, edges18 = 18, corners26 = 26 };

// The connected components of a mask.
struct Components {
  LabelMap labels;                   // ids 1 .. n
  std::vector<std::int64_t> voxels;  // voxels[id - 1]

  std::int32_t count() const { return static_cast<std::int32_t>(voxels.size()); }
};

// Ids follow the first voxel of each component in C order of the (x, y, z) array, z fastest, as SciPy numbers
// an array indexed [x, y, z]. Union-find on runs: O(runs).
Components components(const Mask& mask, Connectivity connectivity);

// Likewise of the voxels of each label: what touches under two labels stays apart.
Components components(const LabelMap& labels, Connectivity connectivity);

// The id that each component has in largest(without_small(all, min_voxels), most); 0: it is dropped.
std::vector<std::int32_t> kept_ids(const std::vector<std::int64_t>& voxels, std::int64_t min_voxels,
                                   std::int32_t most);

// Components of at least min_voxels, renumbered 1 .. n in the same order.
Components without_small(const Components& all, std::int64_t min_voxels);

// The most largest components under their old ids; among equals the lower id stays. voxels keeps its length,
// with 0 for what was dropped.
Components largest(const Components& all, std::int32_t most);

}  // namespace fiducial
