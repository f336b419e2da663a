#include "fiducial/tasks/finding_masks/conformance_mask.h"

#include <algorithm>
#include <bit>
#include <cmath>

#include "fiducial/base/inflate.h"
#include "fiducial/image/nifti_header.h"

namespace fiducial {

namespace {

template <typename T>
void append_value(Bytes& out, double value, bool swapped) {
  const T stored = static_cast<T>(value);
  const auto raw = std::bit_cast<std::array<std::byte, sizeof(T)>>(swapped ? byte_swapped(stored) : stored);
  out.insert(out.end(), raw.begin(), raw.end());
}

void append_value(Bytes& out, double value, VoxelType type, bool swapped) {
  switch (type) {
    case VoxelType::int16:
      return append_value<std::int16_t>(out, value, swapped);
    case VoxelType::int32:
      return append_value<std::int32_t>(out, value, swapped);
    case VoxelType::float32:
      return append_value<float>(out, value, swapped);
    case VoxelType::float64:
      return append_value<double>(out, value, swapped);
    default:
      return append_value<std::uint8_t>(out, value, swapped);
  }
}

// HeaderFields of a NIfTI-1 header that have a byte order: where they begin, how wide they are, how many
// follow.
struct HeaderFields {
  std::size_t offset;
  std::size_t width;
  std::size_t count;
};
constexpr HeaderFields nifti1_fields[] = {{0, 4, 1},   {32, 4, 1},  {36, 2, 1},  {40, 2, 8},
                                          {56, 4, 3},  {68, 2, 4},  {76, 4, 11}, {120, 2, 1},
                                          {124, 4, 6}, {252, 2, 2}, {256, 4, 18}};

void swap_header(Bytes& header) {
  for (const HeaderFields& fields : nifti1_fields) {
    for (std::size_t i = 0; i < fields.count; ++i) {
      const auto begin = header.begin() + static_cast<std::ptrdiff_t>(fields.offset + i * fields.width);
      std::reverse(begin, begin + static_cast<std::ptrdiff_t>(fields.width));
    }
  }
}

}  // namespace

DrawnMask& DrawnMask::set(const Voxel& voxel, double value) {
  for (int axis = 0; axis < 3; ++axis) {
    const std::int64_t at = voxel[static_cast<std::size_t>(axis)];
    if (at < 0 || at >= extent_[axis]) return *this;
  }
  values_[static_cast<std::size_t>(voxel[0] + extent_.x * (voxel[1] + extent_.y * voxel[2]))] = value;
  return *this;
}

DrawnMask& DrawnMask::box(const Voxel& low, const Voxel& size, double value) {
  for (std::int64_t z = low[2]; z < low[2] + size[2]; ++z) {
    for (std::int64_t y = low[1]; y < low[1] + size[1]; ++y) {
      for (std::int64_t x = low[0]; x < low[0] + size[0]; ++x) set({x, y, z}, value);
    }
  }
  return *this;
}

DrawnMask& DrawnMask::ball(const Voxel& centre, std::int64_t radius, double value) {
  for (std::int64_t z = -radius; z <= radius; ++z) {
    for (std::int64_t y = -radius; y <= radius; ++y) {
      for (std::int64_t x = -radius; x <= radius; ++x) {
        if (x * x + y * y + z * z > radius * radius) continue;
        set({centre[0] + x, centre[1] + y, centre[2] + z}, value);
      }
    }
  }
  return *this;
}

LabelMap DrawnMask::labels() const {
  std::vector<LabelRun> runs;
  for (std::size_t i = 0; i < values_.size(); ++i) {
    const auto label =
        static_cast<std::int32_t>(static_cast<std::uint8_t>(static_cast<std::int64_t>(values_[i])));
    if (label == 0) continue;
    const auto row = static_cast<std::int32_t>(static_cast<std::int64_t>(i) / extent_.x);
    const auto x = static_cast<std::int32_t>(static_cast<std::int64_t>(i) % extent_.x);
    LabelRun* last = runs.empty() ? nullptr : &runs.back();
    if (last != nullptr && last->row == row && last->end == x && last->label == label) {
      ++last->end;
    } else {
      runs.push_back({row, x, x + 1, label});
    }
  }
  return {Grid{extent_, {}}, std::move(runs)};
}

Bytes mask_file(const std::vector<DrawnMask>& channels, const MaskStorage& storage) {
  const Extent extent = channels.front().extent();
  NiftiHeader header;
  header.dim = {4, static_cast<std::int64_t>(channels.size()), extent.x, extent.y, extent.z, 1, 1, 1};
  header.type = storage.type;
  header.set_affine(Affine::identity());
  Bytes out = nifti_header_bytes(header);
  const bool swapped = storage.big_endian != (std::endian::native == std::endian::big);
  if (swapped) swap_header(out);
  for (std::size_t i = 0; i < static_cast<std::size_t>(extent.count()); ++i) {
    for (const DrawnMask& channel : channels) append_value(out, channel.values()[i], storage.type, swapped);
  }
  return gzip_compressed(out, 1);
}

}  // namespace fiducial
