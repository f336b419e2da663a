#pragma once

#include <span>

#include "fiducial/base/result.h"
#include "fiducial/image/label_decoder.h"
#include "fiducial/image/label_map.h"
#include "fiducial/image/nifti_file.h"

namespace fiducial {

// The channels as one uint8 image, the inverse of decode_labels. It takes the first channel's affine, with
// the sform code 2 that nibabel gives a new image.
//
// Refuses no channels, channels of different extents, several channels without a channel axis, and labels
// outside 0 .. 255.
Result<NiftiImage> encode_labels(std::span<const LabelMap> channels, ChannelAxis axis);

}  // namespace fiducial
