#pragma once

#include <optional>
#include <string>

#include "fiducial/base/result.h"
#include "fiducial/geometry/orientation.h"
#include "fiducial/image/nifti_file.h"

namespace fiducial {

// Moves the channel axis of a 4D image between front, (F, H, W, D), and back, (H, W, D, F). The affine
// describes the three spatial axes in both. Refuses images of another rank.
Result<NiftiImage> channels_moved_last(const NiftiImage& image);
Result<NiftiImage> channels_moved_first(const NiftiImage& image);

// How axes are to be rearranged.
struct AxisOrder {
  std::optional<OrientationCode> orient;  // none: as they are
  std::string channels;                   // where the channel axis is: "first", "last" or "" for not said
  std::string channels_to;                // where it goes; "": where it is
};

// Rearranges the spatial axes, and those of channels. Where it is not said that channels are first, an image
// that looks like a stack of masks (F, H, W, D) is not turned as if F were x, but refused.
Result<NiftiImage> rearranged(NiftiImage image, const AxisOrder& order);

}  // namespace fiducial
