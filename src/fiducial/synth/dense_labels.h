#pragma once

#include <cstdint>
#include <span>

#include "fiducial/image/label_map.h"

namespace fiducial {

// Labels from one byte a voxel, x fastest.
LabelMap labels_from_dense(const Grid& grid, std::span<const std::uint8_t> voxels);

}  // namespace fiducial
