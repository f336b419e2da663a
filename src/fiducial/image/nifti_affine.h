#pragma once

#include "fiducial/base/result.h"
#include "fiducial/image/nifti_header.h"

namespace fiducial {

// The rotation of the qform, with pixdim spacing and the handedness in pixdim[0] (NIfTI-1 method 2).
Result<Affine> qform_affine(const NiftiHeader& header);

// Chooses the header's affine from its forms, and notes where they disagree.
Outcome choose_affine(NiftiHeader& header);

}  // namespace fiducial
