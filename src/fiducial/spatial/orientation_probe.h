#pragma once

#include <optional>
#include <span>
#include <string>

#include "fiducial/geometry/orientation.h"
#include "fiducial/image/label_map.h"

namespace fiducial {

// A rearrangement of a prediction's axes that fits the reference much better than the prediction as it is.
struct OrientationVerdict {
  Reorientation transform;
  double dice_as_is = 0;  // mean over findings; 0 when the shapes differ
  double dice_transformed = 0;
};

// Tries the 48 rearrangements of a prediction that scores badly. Silent (nothing) when the prediction is
// good, or when none of them is clearly better. Channels of both sides correspond.
std::optional<OrientationVerdict> probe_orientation(std::span<const LabelMap> reference,
                                                    std::span<const LabelMap> prediction);

}  // namespace fiducial
