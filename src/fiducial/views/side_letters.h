#pragma once

#include "fiducial/image/picture.h"
#include "fiducial/views/view_policy.h"

namespace fiducial {

// Writes where the sides of a plane lie in the patient at the middle of a picture's left and right border: R
// and L, of sagittal slices A and P. A picture too small for letters has none.
void write_side_letters(Picture& picture, ViewPlane plane);

}  // namespace fiducial
