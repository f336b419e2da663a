#include "fiducial/image/hounsfield.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>

namespace fiducial {

namespace {

template <typename From, typename To>
NiftiImage scaled(const NiftiImage& image, VoxelType type) {
  NiftiHeader header = image.header();
  header.type = type;
  header.slope = 0;
  header.intercept = 0;
  const double slope = image.header().slope;
  const double intercept = image.header().intercept;
  const std::int64_t count = header.voxel_count();
  auto voxels = std::make_unique_for_overwrite<std::byte[]>(static_cast<std::size_t>(header.voxel_bytes()));
  const auto* from = reinterpret_cast<const From*>(image.bytes().data());
  auto* to = reinterpret_cast<To*>(voxels.get());
  for (std::int64_t i = 0; i < count; ++i) {
    to[i] = static_cast<To>(static_cast<double>(from[i]) * slope + intercept);
  }
  return {std::move(header), std::move(voxels)};
}

// Whether every value a voxel of the type can have is a whole number of 16 bits after scaling.
template <typename From>
bool stays_int16(const NiftiHeader& header) {
  if (!std::is_integral_v<From> || sizeof(From) > 2) return false;
  if (header.slope != std::floor(header.slope) || header.intercept != std::floor(header.intercept))
    return false;
  const double low =
      static_cast<double>(std::numeric_limits<From>::lowest()) * header.slope + header.intercept;
  const double high = static_cast<double>(std::numeric_limits<From>::max()) * header.slope + header.intercept;
  return std::min(low, high) >= -32768 && std::max(low, high) <= 32767;
}

template <typename From>
NiftiImage scaled_from(const NiftiImage& image) {
  return stays_int16<From>(image.header()) ? scaled<From, std::int16_t>(image, VoxelType::int16)
                                           : scaled<From, float>(image, VoxelType::float32);
}

}  // namespace

Result<NiftiImage> with_scaling_applied(NiftiImage image) {
  const VoxelType type = image.header().type;
  if (!is_integer(type) && !is_real(type)) {
    return invalid_data("voxels of type " + std::string(to_string(type)) + "; expected one number a voxel");
  }
  if (!image.header().scales()) return image;
  switch (type) {
    case VoxelType::uint8:
      return scaled_from<std::uint8_t>(image);
    case VoxelType::int8:
      return scaled_from<std::int8_t>(image);
    case VoxelType::uint16:
      return scaled_from<std::uint16_t>(image);
    case VoxelType::int16:
      return scaled_from<std::int16_t>(image);
    case VoxelType::uint32:
      return scaled_from<std::uint32_t>(image);
    case VoxelType::int32:
      return scaled_from<std::int32_t>(image);
    case VoxelType::uint64:
      return scaled_from<std::uint64_t>(image);
    case VoxelType::int64:
      return scaled_from<std::int64_t>(image);
    case VoxelType::float32:
      return scaled_from<float>(image);
    default:
      return scaled_from<double>(image);
  }
}

}  // namespace fiducial
