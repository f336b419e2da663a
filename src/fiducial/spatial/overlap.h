#pragma once

#include <cstdint>
#include <vector>

#include "fiducial/base/result.h"
#include "fiducial/image/label_map.h"
#include "fiducial/image/mask.h"

namespace fiducial {

// Sizes of two masks and of what they share. All that Dice and IoU need.
struct Overlap {
  std::int64_t reference = 0;
  std::int64_t prediction = 0;
  std::int64_t both = 0;

  friend bool operator==(const Overlap&, const Overlap&) = default;
};

// Costs O(runs). Refuses masks of different extents.
Result<Overlap> overlap(const Mask& reference, const Mask& prediction);

// How the labels of two maps share voxels, from one merge of their runs.
struct OverlapTable {
  struct Label {
    std::int32_t label = 0;
    std::int64_t voxels = 0;
  };
  struct Pair {
    std::int32_t reference_index = 0;   // into reference
    std::int32_t prediction_index = 0;  // into prediction
    std::int64_t voxels = 0;            // at least 1
  };

  std::vector<Label> reference;   // ascending labels
  std::vector<Label> prediction;  // ascending labels
  std::vector<Pair> pairs;        // ascending (reference_index, prediction_index)
};

Result<OverlapTable> overlap_table(const LabelMap& reference, const LabelMap& prediction);

}  // namespace fiducial
