#include "fiducial/dicom/hounsfield_volume.h"

#include <cmath>
#include <cstring>
#include <limits>

namespace fiducial {

namespace {

// Value i of a slice. Bits above the stored ones may hold anything, such as an overlay.
std::int64_t stored_value(const StoredSlice& slice, std::size_t i) {
  std::uint32_t raw = 0;
  const auto bytes = static_cast<std::size_t>(slice.bytes_per_value);
  std::memcpy(&raw, slice.bytes.data() + i * bytes, bytes);
  const auto unused = static_cast<unsigned>(32 - slice.bits_stored);
  if (!slice.is_signed) return raw << unused >> unused;
  return static_cast<std::int32_t>(raw << unused) >> unused;
}

bool fits_int16(double value) {
  return value == std::floor(value) && value >= std::numeric_limits<std::int16_t>::min() &&
         value <= std::numeric_limits<std::int16_t>::max();
}

}  // namespace

static_assert(std::endian::native == std::endian::little, "stored values are copied into wider integers");

HounsfieldVolume::HounsfieldVolume(const Extent& extent)
    : slice_values_(static_cast<std::size_t>(extent.x * extent.y)),
      values_(static_cast<std::size_t>(extent.count())) {}

void HounsfieldVolume::put(std::int64_t z, const StoredSlice& slice, double slope, double intercept) {
  if (whole_.empty() && real_.empty()) whole_.resize(values_);
  const std::size_t begin = static_cast<std::size_t>(z) * slice_values_;
  for (std::size_t i = 0; i < slice_values_; ++i) {
    const double value = static_cast<double>(stored_value(slice, i)) * slope + intercept;
    if (real_.empty() && !fits_int16(value)) widen();
    if (real_.empty()) {
      whole_[begin + i] = static_cast<std::int16_t>(value);
    } else {
      real_[begin + i] = static_cast<float>(value);
    }
  }
}

void HounsfieldVolume::widen() {
  real_.assign(whole_.begin(), whole_.end());
  whole_ = {};
}

NiftiImage HounsfieldVolume::image(const Grid& grid) && {
  NiftiHeader header;
  header.dim = {3, grid.extent.x, grid.extent.y, grid.extent.z, 1, 1, 1, 1};
  header.type = real_.empty() ? VoxelType::int16 : VoxelType::float32;
  header.set_affine(grid.affine);
  NiftiImage out = NiftiImage::make(std::move(header));
  if (real_.empty()) {
    std::memcpy(out.bytes().data(), whole_.data(), out.bytes().size());
  } else {
    std::memcpy(out.bytes().data(), real_.data(), out.bytes().size());
  }
  whole_ = {};
  real_ = {};
  return out;
}

}  // namespace fiducial
