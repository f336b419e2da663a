#pragma once

#include "fiducial/masks/mask_format.h"

namespace fiducial {

// Masks of an image file (image/volume_format.h): labels, channels, or the segments that it names.
Result<std::unique_ptr<MaskReader>> open_volume_masks(MaskSource source);

}  // namespace fiducial
