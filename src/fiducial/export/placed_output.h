#pragma once

#include <optional>
#include <string>

#include "fiducial/export/segmenter_layout.h"
#include "fiducial/image/label_map.h"
#include "fiducial/image/transform_record.h"

namespace fiducial {

// Where the masks of a case must come to lie.
struct OutputPlace {
  std::optional<Grid> ct;                 // none: no CT was given, and masks stay as they are
  Path ct_path;                           // for messages
  std::optional<TransformRecord> record;  // of masks that lost their place
};

// The foreground of one mask on the grid of its CT, and how it came there.
struct PlacedOutput {
  Mask mask;
  std::string how;  // "as it is", "by whole voxels: ...", "nearest, back through the record"
};

// Reads a mask. Values that are no whole numbers are refused as probabilities unless a threshold is given:
// above it a voxel is inside; NaN is refused all the same. A mask on another grid is refused with the command
// that brings it onto its CT's.
Result<PlacedOutput> read_placed_output(const NamedOutput& output, const OutputPlace& place,
                                        std::optional<double> threshold);

}  // namespace fiducial
