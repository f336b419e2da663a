#pragma once

#include <string>
#include <string_view>

#include "fiducial/anatomy/case_masks.h"
#include "fiducial/masks/mask_collection.h"

namespace fiducial {

// ITK-SNAP's file of label descriptions: a line a label with number, colour, opacity, visibility and a name
// in quotes; lines that begin with # are remarks. Label 0 is the background and is left out.
Result<LabelNames> parse_label_descriptions(std::string_view text);

// The same for the labels of masks: the numbers of structures.
std::string label_descriptions(const MaskCollection& masks);

}  // namespace fiducial
