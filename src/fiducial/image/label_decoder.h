#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "fiducial/base/note.h"
#include "fiducial/base/result.h"
#include "fiducial/image/channel_axis.h"
#include "fiducial/image/label_map.h"
#include "fiducial/image/nifti_file.h"

namespace fiducial {

// The shape of a mask file once its channel axis is named.
struct ChannelShape {
  std::int64_t channels = 1;
  Extent extent;

  std::string text() const;  // "8 findings of 512 x 512 x 300"
  friend bool operator==(const ChannelShape&, const ChannelShape&) = default;
};

// The shape of an array of rank 3 or 4 (longer ranks only with ones at the end); rank 2 is one slice.
Result<ChannelShape> channel_shape(const NiftiHeader& header, ChannelAxis axis);

// What the values of a mask file were like before they became labels.
struct LabelValueFacts {
  std::int64_t fractional = 0;  // voxels whose value was no whole number; they are truncated towards zero
  std::int64_t not_finite = 0;  // NaN or infinite voxels; they become background
  std::int64_t foreground =
      0;  // non-zero voxels before truncation; counted only where values can be fractional
  std::int32_t least = 0;
  std::int32_t greatest = 0;
};

// All channels of a mask file as labels.
struct LabelStack {
  Grid grid;
  std::vector<LabelMap> channels;
  LabelValueFacts values;
  Notes notes;
};

// Turns the voxels of an opened file into runs in one pass and constant memory besides the runs.
//
// Values are scaled by the header's slope and intercept, then truncated to 32-bit labels. The grid takes the
// header's affine; with channels first the affine still describes the three spatial axes.
Result<LabelStack> decode_labels(NiftiStream& stream, ChannelAxis axis);

}  // namespace fiducial
