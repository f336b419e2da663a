#pragma once

#include <string>

#include "fiducial/base/file.h"
#include "fiducial/base/result.h"
#include "fiducial/image/nifti_file.h"

namespace fiducial {

// A CT in Hounsfield units, and how its values came to be.
struct RescaledVolume {
  NiftiImage image;
  std::string how;  // "as they are", "by the header", or "by the metadata: 1 * value - 1024"
};

// Applies slope and intercept exactly once: those of the header, else those that a table of metadata
// (CT-RATE's) has in the row of the volume's name, unless the values are in Hounsfield units already. Refuses
// a table without that row or without its rescale, values that were rescaled twice, and values that are
// recognised as neither.
Result<RescaledVolume> hounsfield_by_metadata(NiftiImage image, const std::string& volume_name,
                                              const Path& table);

}  // namespace fiducial
