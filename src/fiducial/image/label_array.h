#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "fiducial/base/result.h"
#include "fiducial/image/label_map.h"
#include "fiducial/image/voxel_type.h"

namespace fiducial {

// Integers in somebody else's memory, wherever each of them lies.
struct VoxelArray {
  const std::byte* first = nullptr;  // voxel (0, 0, 0)
  VoxelType type = VoxelType::uint8;
  bool swapped = false;  // stored in the other byte order than this machine's
  Extent extent;
  std::array<std::int64_t, 3> stride_bytes{0, 0, 0};  // may be negative, zero or odd
};

// The labels of an array in one pass over its memory, in the order the memory has. Nothing is copied but the
// runs. Refuses voxels that are no integers, values outside 32 bits and extents too large for a mask.
Result<LabelMap> labels_from_array(const VoxelArray& voxels, const Affine& affine = {});

}  // namespace fiducial
