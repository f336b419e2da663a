#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "fiducial/base/file.h"
#include "fiducial/base/result.h"
#include "fiducial/image/label_map.h"
#include "fiducial/image/rescale_state.h"

namespace fiducial {

// How much of a mask lies outside the body: as it is, and with its slices in reversed order.
struct SliceOrderEvidence {
  std::int64_t voxels = 0;  // of the mask, on the slices that were looked at
  std::int64_t slices = 0;
  double outside_as_is = 0;     // share of those voxels
  double outside_reversed = 0;  // share of those voxels

  // At least 30 voxels, at least half outside as it is, at most a tenth reversed.
  bool is_reversed() const;
};

// The air around a body in one slice: what lies below the threshold and is joined to the slice's border by
// faces. One byte a pixel, x fastest.
std::vector<std::uint8_t> outside_of_body(std::span<const float> slice, std::int64_t width, float threshold);

// Looks at up to 12 slices of the mask's foreground, spread evenly, and at their mirror images along the
// third axis. Air is what is 400 HU below water by the verdict on the volume's values; nothing is told where
// that is unrecognised, where the mask is empty, or where the volume is not the mask's size.
//
// Reads the volume up to the last of those slices and holds one slice of it.
Result<std::optional<SliceOrderEvidence>> look_at_slice_order(const Path& volume,
                                                              const RescaleVerdict& values,
                                                              std::span<const LabelMap> channels);

}  // namespace fiducial
