#pragma once

#include "fiducial/base/result.h"
#include "fiducial/image/nifti_file.h"

namespace fiducial {

// Moves the channel axis of a 4D image between front, (F, H, W, D), and back, (H, W, D, F). The affine
// describes the three spatial axes in both. Refuses images of another rank.
Result<NiftiImage> channels_moved_last(const NiftiImage& image);
Result<NiftiImage> channels_moved_first(const NiftiImage& image);

}  // namespace fiducial
