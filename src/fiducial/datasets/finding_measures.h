#pragma once

#include <optional>
#include <vector>

#include "fiducial/base/file.h"
#include "fiducial/masks/mask_file.h"

namespace fiducial {

// How large a finding is in the patient, and how dense; of an empty one nothing is known.
struct FindingMeasures {
  std::optional<double> ml;
  std::optional<double> mm;  // the diameter of a ball of that volume
  std::optional<double> hu;  // the mean of its voxels
};

// One for each channel of a mask. Sizes need a CT, or a mask that says where it lies; HU need the CT, whose
// header's slope and intercept are applied. A CT on other voxels than the mask is an error. Reads the CT once
// and holds one slice of it.
Result<std::vector<FindingMeasures>> measure_findings(const MaskFile& mask,
                                                      const std::optional<Path>& volume);

}  // namespace fiducial
