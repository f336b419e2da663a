#pragma once

#include "fiducial/image/picture.h"
#include "fiducial/views/view_policy.h"

namespace fiducial {

// An image as a policy of images shows it: its own bytes, or decoded, laid on a background, windowed, made no
// larger than the policy says, and written again. Refuses what cannot be decoded.
Result<Bytes> viewed_image(const ViewPolicy& policy, ByteView file);

}  // namespace fiducial
