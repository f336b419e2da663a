#pragma once

#include "fiducial/base/file.h"
#include "fiducial/base/result.h"
#include "fiducial/image/mask.h"
#include "fiducial/image/nifti_header.h"

namespace fiducial {

// Writes a mask as 0 and 1, in the place of its grid.
Outcome write_mask(const Mask& mask, const Path& path);
// The same with the forms of its CT's header, so that both lie in one place for every reader.
Outcome write_mask(const Mask& mask, const Path& path, const NiftiHeader& ct);

}  // namespace fiducial
