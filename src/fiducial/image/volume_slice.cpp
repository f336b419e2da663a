#include "fiducial/image/volume_slice.h"

#include <algorithm>

#include "fiducial/base/number_text.h"

namespace fiducial {

namespace {

constexpr std::int64_t max_slice_bytes = std::int64_t{1} << 30;
constexpr std::int64_t max_plane_voxels = std::int64_t{1} << 28;

template <typename T>
std::vector<float> converted(ByteView bytes, const NiftiHeader& header) {
  std::vector<float> out(bytes.size() / sizeof(T));
  const bool scales = header.scales();
  for (std::size_t i = 0; i < out.size(); ++i) {
    const auto value = static_cast<double>(load<T>(bytes, i * sizeof(T), header.swapped));
    out[i] = static_cast<float>(scales ? value * header.slope + header.intercept : value);
  }
  return out;
}

using Converter = std::vector<float> (*)(ByteView, const NiftiHeader&);

// Nothing for voxels that are no real numbers.
Converter converter_of(VoxelType type) {
  switch (type) {
    case VoxelType::uint8:
      return converted<std::uint8_t>;
    case VoxelType::int8:
      return converted<std::int8_t>;
    case VoxelType::uint16:
      return converted<std::uint16_t>;
    case VoxelType::int16:
      return converted<std::int16_t>;
    case VoxelType::uint32:
      return converted<std::uint32_t>;
    case VoxelType::int32:
      return converted<std::int32_t>;
    case VoxelType::uint64:
      return converted<std::uint64_t>;
    case VoxelType::int64:
      return converted<std::int64_t>;
    case VoxelType::float32:
      return converted<float>;
    case VoxelType::float64:
      return converted<double>;
    default:
      return nullptr;
  }
}

Outcome check_volume(const NiftiHeader& header) {
  if (header.rank() != 3)
    return invalid_data("array of shape " + header.shape_text() + "; expected a volume");
  if (converter_of(header.type) == nullptr) {
    return invalid_data("voxels of type " + std::string(to_string(header.type)) +
                        "; expected one number a voxel");
  }
  if (header.dim[1] * header.dim[2] * size_bytes(header.type) > max_slice_bytes) {
    return invalid_data("slices of " + decimal(header.dim[1]) + " x " + decimal(header.dim[2]) +
                        " voxels are too large to be read");
  }
  return done();
}

Result<VolumePlane> empty_plane(const PlanePlace& place, const Extent& extent) {
  if (place.axis < 0 || place.axis > 2 || place.index < 0 || place.index >= extent[place.axis]) {
    return invalid_data("plane " + decimal(place.index) + " of axis " + decimal(place.axis) +
                        " lies outside " + extent.text() + " voxels");
  }
  VolumePlane out{place, place.axis == 0 ? extent.y : extent.x, place.axis == 2 ? extent.y : extent.z, {}};
  if (out.width > max_plane_voxels / out.height) return invalid_data("plane too large to be read");
  out.values.resize(static_cast<std::size_t>(out.width * out.height));
  return out;
}

std::int64_t last_slice(const PlanePlace& place, const Extent& extent) {
  return place.axis == 2 ? place.index : extent.z - 1;
}

// Copies what slice z of the volume has of a plane.
void take_from_slice(VolumePlane& plane, const std::vector<float>& slice, const Extent& extent,
                     std::int64_t z) {
  const std::int64_t index = plane.place.index;
  if (plane.place.axis == 2) {
    if (z == index) plane.values = slice;
    return;
  }
  float* const row = plane.values.data() + z * plane.width;
  for (std::int64_t i = 0; i < plane.width; ++i) {
    const std::int64_t at = plane.place.axis == 1 ? index * extent.x + i : i * extent.x + index;
    row[i] = slice[static_cast<std::size_t>(at)];
  }
}

}  // namespace

Result<std::vector<VolumePlane>> read_volume_planes(NiftiStream& stream, std::span<const PlanePlace> wanted) {
  const NiftiHeader& header = stream.header();
  FIDUCIAL_TRY_DONE(check_volume(header));
  const Extent extent = header.extent();
  std::vector<VolumePlane> planes;
  std::int64_t last = -1;
  for (const PlanePlace& place : wanted) {
    FIDUCIAL_TRY(VolumePlane plane, empty_plane(place, extent));
    planes.push_back(std::move(plane));
    last = std::max(last, last_slice(place, extent));
  }
  const Converter convert = converter_of(header.type);
  Bytes slice(static_cast<std::size_t>(extent.x * extent.y * size_bytes(header.type)));
  std::int64_t next = 0;
  for (std::int64_t z = 0; z <= last; ++z) {
    const bool is_wanted = std::any_of(wanted.begin(), wanted.end(), [z](const PlanePlace& place) {
      return place.axis != 2 || place.index == z;
    });
    if (!is_wanted) continue;
    FIDUCIAL_TRY_DONE(stream.skip_voxels((z - next) * static_cast<std::int64_t>(slice.size())));
    FIDUCIAL_TRY_DONE(stream.read_voxels(slice));
    next = z + 1;
    const std::vector<float> values = convert(slice, header);
    for (VolumePlane& plane : planes) take_from_slice(plane, values, extent, z);
  }
  return planes;
}

Outcome visit_volume_slices(NiftiStream& stream, std::span<const std::int64_t> wanted,
                            const std::function<void(std::int64_t, std::span<const float>)>& visit) {
  const NiftiHeader& header = stream.header();
  FIDUCIAL_TRY_DONE(check_volume(header));
  const Extent extent = header.extent();
  const Converter convert = converter_of(header.type);
  Bytes slice(static_cast<std::size_t>(extent.x * extent.y * size_bytes(header.type)));
  std::int64_t next = 0;
  for (const std::int64_t index : wanted) {
    if (index < next || index >= extent.z) {
      return invalid_data("slice " + decimal(index) + " does not follow, or lies outside " + extent.text() +
                          " voxels");
    }
    FIDUCIAL_TRY_DONE(stream.skip_voxels((index - next) * static_cast<std::int64_t>(slice.size())));
    FIDUCIAL_TRY_DONE(stream.read_voxels(slice));
    next = index + 1;
    visit(index, convert(slice, header));
  }
  return done();
}

}  // namespace fiducial
