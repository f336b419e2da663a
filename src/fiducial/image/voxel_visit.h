#pragma once

#include <string>

#include "fiducial/base/result.h"
#include "fiducial/image/voxel_type.h"

namespace fiducial {

// Calls visit(T{}) with the C++ type of a voxel that is one real number; refuses others.
template <typename Visit>
Outcome visit_voxel_type(VoxelType type, const Visit& visit) {
  switch (type) {
    case VoxelType::uint8:
      return visit(std::uint8_t{});
    case VoxelType::int8:
      return visit(std::int8_t{});
    case VoxelType::uint16:
      return visit(std::uint16_t{});
    case VoxelType::int16:
      return visit(std::int16_t{});
    case VoxelType::uint32:
      return visit(std::uint32_t{});
    case VoxelType::int32:
      return visit(std::int32_t{});
    case VoxelType::uint64:
      return visit(std::uint64_t{});
    case VoxelType::int64:
      return visit(std::int64_t{});
    case VoxelType::float32:
      return visit(float{});
    case VoxelType::float64:
      return visit(double{});
    default:
      return invalid_data("voxels of type " + std::string(to_string(type)) + "; expected one number a voxel");
  }
}

}  // namespace fiducial
