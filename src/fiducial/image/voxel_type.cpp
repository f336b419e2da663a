#include "fiducial/image/voxel_type.h"

#include "fiducial/base/error.h"

namespace fiducial {

namespace {

enum class Kind { integer, real, other };

struct TypeRow {
  VoxelType type;
  std::int64_t bytes;
  std::int64_t scalar_bytes;
  Kind kind;
  std::string_view name;
};

constexpr TypeRow type_rows[] = {
    {VoxelType::uint8, 1, 1, Kind::integer, "uint8"},
    {VoxelType::int16, 2, 2, Kind::integer, "int16"},
    {VoxelType::int32, 4, 4, Kind::integer, "int32"},
    {VoxelType::float32, 4, 4, Kind::real, "float32"},
    {VoxelType::complex64, 8, 4, Kind::other, "complex64"},
    {VoxelType::float64, 8, 8, Kind::real, "float64"},
    {VoxelType::rgb24, 3, 1, Kind::other, "rgb24"},
    {VoxelType::int8, 1, 1, Kind::integer, "int8"},
    {VoxelType::uint16, 2, 2, Kind::integer, "uint16"},
    {VoxelType::uint32, 4, 4, Kind::integer, "uint32"},
    {VoxelType::int64, 8, 8, Kind::integer, "int64"},
    {VoxelType::uint64, 8, 8, Kind::integer, "uint64"},
    {VoxelType::float128, 16, 16, Kind::other, "float128"},
    {VoxelType::complex128, 16, 8, Kind::other, "complex128"},
    {VoxelType::complex256, 32, 16, Kind::other, "complex256"},
    {VoxelType::rgba32, 4, 1, Kind::other, "rgba32"},
};

const TypeRow& row_of(VoxelType type) {
  for (const TypeRow& row : type_rows) {
    if (row.type == type) return row;
  }
  FIDUCIAL_ASSERT(false);
}

}  // namespace

std::optional<VoxelType> voxel_type(std::int64_t nifti_code) {
  for (const TypeRow& row : type_rows) {
    if (static_cast<std::int64_t>(row.type) == nifti_code) return row.type;
  }
  return std::nullopt;
}

std::int64_t size_bytes(VoxelType type) { return row_of(type).bytes; }

std::int64_t scalar_bytes(VoxelType type) { return row_of(type).scalar_bytes; }

bool is_integer(VoxelType type) { return row_of(type).kind == Kind::integer; }

bool is_real(VoxelType type) { return row_of(type).kind == Kind::real; }

std::string_view to_string(VoxelType type) { return row_of(type).name; }

}  // namespace fiducial
