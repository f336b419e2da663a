#pragma once

#include "fiducial/base/result.h"
#include "fiducial/image/nifti_file.h"

namespace fiducial {

// The image with its header's slope and intercept applied, which for a CT gives Hounsfield units.
//
// Voxels that are not scaled stay as they are, in their own type and memory. Others become int16 where slope
// and intercept are whole numbers and every possible value fits, and float32 otherwise. Refuses voxels that
// are no real numbers.
Result<NiftiImage> with_scaling_applied(NiftiImage image);

}  // namespace fiducial
