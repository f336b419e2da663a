#pragma once

#include <cstdint>
#include <cstdlib>
#include <memory>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "fiducial/base/inflate.h"
#include "fiducial/base/random.h"
#include "fiducial/image/nifti_file.h"

namespace fiducial {

// Every type that decodes to labels, for tests that go through all of them.
inline constexpr VoxelType label_types[] = {
    VoxelType::uint8, VoxelType::int8,   VoxelType::uint16, VoxelType::int16,   VoxelType::uint32,
    VoxelType::int32, VoxelType::uint64, VoxelType::int64,  VoxelType::float32, VoxelType::float64};

// Calls a generic function with a zero of the type's C++ counterpart.
template <typename Function>
auto with_voxel_type(VoxelType type, Function function) {
  switch (type) {
    case VoxelType::uint8:
      return function(std::uint8_t{});
    case VoxelType::int8:
      return function(std::int8_t{});
    case VoxelType::uint16:
      return function(std::uint16_t{});
    case VoxelType::int16:
      return function(std::int16_t{});
    case VoxelType::uint32:
      return function(std::uint32_t{});
    case VoxelType::int32:
      return function(std::int32_t{});
    case VoxelType::uint64:
      return function(std::uint64_t{});
    case VoxelType::int64:
      return function(std::int64_t{});
    case VoxelType::float32:
      return function(float{});
    default:
      return function(double{});
  }
}

// A header of the given shape, e.g. {4, 5, 6}.
inline NiftiHeader example_header(const std::vector<std::int64_t>& shape, VoxelType type = VoxelType::uint8) {
  NiftiHeader header;
  header.dim.fill(1);
  header.dim[0] = static_cast<std::int64_t>(shape.size());
  for (std::size_t i = 0; i < shape.size(); ++i) header.dim[i + 1] = shape[i];
  header.type = type;
  header.set_affine(Affine::identity());
  return header;
}

// Values as the bytes of a voxel type, in this machine's order or the other.
inline Bytes voxel_bytes_of(const std::vector<double>& values, VoxelType type, bool swapped = false) {
  return with_voxel_type(type, [&](auto zero) {
    using T = decltype(zero);
    Bytes out(values.size() * sizeof(T));
    for (std::size_t i = 0; i < values.size(); ++i) {
      const T value = static_cast<T>(values[i]);
      store(std::span(out), i * sizeof(T), swapped ? byte_swapped(value) : value);
    }
    return out;
  });
}

// Swaps one field of a header in place.
template <typename T>
void swap_field(Bytes& bytes, std::size_t offset) {
  store(std::span(bytes), offset, byte_swapped(load<T>(bytes, offset)));
}

template <typename T>
void swap_fields(Bytes& bytes, std::size_t first, std::size_t count) {
  for (std::size_t i = 0; i < count; ++i) swap_field<T>(bytes, first + i * sizeof(T));
}

// The same header in the other byte order, field by field as nifti1.h and nifti2.h lay them out.
inline Bytes header_in_other_byte_order(Bytes bytes) {
  if (load<std::int32_t>(bytes, 0) == 348) {
    swap_field<std::int32_t>(bytes, 0);
    swap_fields<std::int16_t>(bytes, 40, 8);
    swap_fields<float>(bytes, 56, 3);
    swap_fields<std::int16_t>(bytes, 68, 4);
    swap_fields<float>(bytes, 76, 11);
    swap_field<std::int16_t>(bytes, 120);
    swap_fields<float>(bytes, 124, 4);
    swap_fields<std::int16_t>(bytes, 252, 2);
    swap_fields<float>(bytes, 256, 18);
    return bytes;
  }
  swap_field<std::int32_t>(bytes, 0);
  swap_fields<std::int16_t>(bytes, 12, 2);
  swap_fields<std::int64_t>(bytes, 16, 8);
  swap_fields<double>(bytes, 80, 11);
  swap_field<std::int64_t>(bytes, 168);
  swap_fields<double>(bytes, 176, 6);
  swap_fields<std::int64_t>(bytes, 224, 2);
  swap_fields<std::int32_t>(bytes, 344, 2);
  swap_fields<double>(bytes, 352, 18);
  swap_fields<std::int32_t>(bytes, 496, 3);
  return bytes;
}

// A whole file in memory. header.swapped decides the byte order of header and voxels.
inline Bytes example_file(const NiftiHeader& header, const std::vector<double>& values) {
  Bytes out = nifti_header_bytes(header);
  if (header.swapped) out = header_in_other_byte_order(std::move(out));
  const Bytes voxels = voxel_bytes_of(values, header.type, header.swapped);
  out.insert(out.end(), voxels.begin(), voxels.end());
  return out;
}

// A stream that owns its bytes, so that a test can write it in one expression.
class OwnedStream final : public ByteStream {
 public:
  explicit OwnedStream(Bytes bytes) : bytes_(std::move(bytes)), stream_(bytes_) {}
  Result<std::size_t> read(std::span<std::byte> out) override { return stream_.read(out); }

 private:
  Bytes bytes_;
  MemoryStream stream_;
};

inline Result<NiftiStream> open_bytes(Bytes bytes) {
  const std::uint64_t size = bytes.size();
  return NiftiStream::open(std::make_unique<OwnedStream>(std::move(bytes)), size);
}

inline Result<NiftiImage> read_bytes(Bytes bytes) {
  FIDUCIAL_TRY(NiftiStream stream, open_bytes(std::move(bytes)));
  return read_nifti(std::move(stream));
}

// A file of the data pack, if this machine has it.
inline std::optional<Path> data_pack_file(const std::string& name) {
  const char* pack = std::getenv("FIDUCIAL_DATA_PACK");
  if (pack == nullptr || !std::filesystem::exists(Path(pack) / name)) return std::nullopt;
  return Path(pack) / name;
}

}  // namespace fiducial
