#include "fiducial/export/sat_place.h"

#include <algorithm>
#include <optional>

#include "fiducial/image/mask.h"
#include "fiducial/image/resample.h"

namespace fiducial {

namespace {

// The box around all values above 0.
std::optional<VoxelBox> box_above_zero(const NiftiImage& volume) {
  const Extent extent = volume.header().extent();
  const auto* value = reinterpret_cast<const float*>(volume.bytes().data());
  VoxelBox box{{extent.x, extent.y, extent.z}, {0, 0, 0}};
  for (std::int64_t z = 0; z < extent.z; ++z) {
    for (std::int64_t y = 0; y < extent.y; ++y) {
      for (std::int64_t x = 0; x < extent.x; ++x, ++value) {
        if (!(*value > 0)) continue;
        const std::array<std::int64_t, 3> at{x, y, z};
        for (std::size_t i = 0; i < 3; ++i) {
          box.low[i] = std::min(box.low[i], at[i]);
          box.high[i] = std::max(box.high[i], at[i] + 1);
        }
      }
    }
  }
  if (box.high[0] == 0) return std::nullopt;
  return box;
}

}  // namespace

Result<TransformRecord> sat_transform(const NiftiImage& ct, int threads) {
  FIDUCIAL_TRY(const OrientationCode ras, OrientationCode::parse("RAS"));
  std::vector<TransformStep> steps{transform_steps::Orient{ras}, transform_steps::Spacing{{1, 1, 3}}};
  FIDUCIAL_TRY(const TransformRecord coarse, make_transform_record(ct.header().grid(), steps));
  FIDUCIAL_TRY(const NiftiImage volume,
               resampled(ct, coarse.to, {.interpolation = Interpolation::linear, .threads = threads}));
  const std::optional<VoxelBox> box = box_above_zero(volume);
  if (!box) {
    return invalid_data("no value of the CT is above 0, so there is no foreground that SAT would crop it to");
  }
  const Extent shape{box->high[0] - box->low[0], box->high[1] - box->low[1], box->high[2] - box->low[2]};
  steps.emplace_back(transform_steps::Crop{box->low, shape});
  return make_transform_record(ct.header().grid(), std::move(steps));
}

}  // namespace fiducial
