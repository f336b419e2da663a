#pragma once

#include "fiducial/masks/mask_format.h"

namespace fiducial {

// Masks of an image file (image/volume_format.h): labels, channels, or the segments that it names.
//
// Segments are structures by their names, unless all of them are called "finding N" or "finding N entity M":
// these are findings again, with their entities as labels.
Result<std::unique_ptr<MaskReader>> open_volume_masks(MaskSource source);

// What segments of findings are called.
std::string finding_segment_name(std::size_t finding, std::int32_t entity, bool has_entities);

}  // namespace fiducial
