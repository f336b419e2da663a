#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "fiducial/base/bytes.h"
#include "fiducial/base/random.h"
#include "fiducial/image/label_map.h"
#include "fiducial/image/voxel_type.h"

namespace fiducial {

// A mask drawn voxel by voxel, of any values that a file can hold.
class DrawnMask {
 public:
  using Voxel = std::array<std::int64_t, 3>;

  explicit DrawnMask(Extent extent) : extent_(extent), values_(static_cast<std::size_t>(extent.count())) {}

  const Extent& extent() const { return extent_; }
  const std::vector<double>& values() const { return values_; }  // x fastest

  // Later drawings cover earlier ones; what lies outside is left out.
  DrawnMask& set(const Voxel& voxel, double value);
  DrawnMask& box(const Voxel& low, const Voxel& size, double value = 1);
  DrawnMask& ball(const Voxel& centre, std::int64_t radius, double value = 1);

  // As the published scorer loads it: truncated, and wrapped to 0 .. 255.
  LabelMap labels() const;

 private:
  Extent extent_;
  std::vector<double> values_;
};

// How a file of masks is stored.
struct MaskStorage {
  VoxelType type = VoxelType::uint8;  // uint8, int16, int32, float32 or float64
  bool big_endian = false;
};

// The channels as one compressed NIfTI file of shape (F, x, y, z) with an identity affine.
Bytes mask_file(const std::vector<DrawnMask>& channels, const MaskStorage& storage);

}  // namespace fiducial
