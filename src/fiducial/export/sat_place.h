#pragma once

#include "fiducial/base/result.h"
#include "fiducial/image/nifti_file.h"
#include "fiducial/image/transform_record.h"

namespace fiducial {

// What SAT does to a CT before it segments it: axes to RAS, voxels of 1 x 1 x 3 mm between those of the CT,
// and a crop to the box around all values above 0. Its masks lie on that grid, but are stored under the
// identity. Refuses a CT without a place, and one without a value above 0.
Result<TransformRecord> sat_transform(const NiftiImage& ct, int threads);

}  // namespace fiducial
