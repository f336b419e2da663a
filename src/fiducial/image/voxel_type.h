#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace fiducial {

// How one voxel is stored; the values are NIfTI's datatype codes.
enum class VoxelType : std::int16_t {
  uint8 = 2,
  int16 = 4,
  int32 = 8,
  float32 = 16,
  complex64 = 32,
  float64 = 64,
  rgb24 = 128,
  int8 = 256,
  uint16 = 512,
  uint32 = 768,
  int64 = 1024,
  uint64 = 1280,
  float128 = 1536,
  complex128 = 1792,
  complex256 = 2048,
  rgba32 = 2304,
};

std::optional<VoxelType> voxel_type(std::int64_t nifti_code);
std::int64_t size_bytes(VoxelType type);
// The size of the pieces whose bytes are swapped together when the byte order changes.
std::int64_t scalar_bytes(VoxelType type);
bool is_integer(VoxelType type);
bool is_real(VoxelType type);  // float32 or float64
std::string_view to_string(VoxelType type);

}  // namespace fiducial
