#pragma once

#include "fiducial/base/result.h"
#include "fiducial/geometry/orientation.h"
#include "fiducial/image/nifti_file.h"

namespace fiducial {

// The image with its first three axes rearranged and the affine carried along: every voxel keeps its value
// and its place in the patient. Further axes stay as they are.
NiftiImage reoriented(const NiftiImage& image, const Reorientation& how);

// The same towards an orientation code. Refuses an affine that gives the axes no direction.
Result<NiftiImage> reoriented(const NiftiImage& image, const OrientationCode& target);

}  // namespace fiducial
