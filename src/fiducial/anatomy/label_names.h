#pragma once

#include <vector>

#include "fiducial/anatomy/case_masks.h"
#include "fiducial/base/file.h"
#include "fiducial/masks/mask_reader.h"

namespace fiducial {

// What names the labels of a label map, and the file that says so, if it is another one.
struct NamesBeside {
  LabelNames names;  // empty: nothing names them
  std::vector<MaskOrigin> files;
};

// By NAME.json, an extension of the map's header, labels.json, or nnU-Net's dataset.json (beside it, or above
// labelsTr and its like), in this order. Files are named relative to `base`.
Result<NamesBeside> names_beside(const Path& label_map, const Path& base);

}  // namespace fiducial
