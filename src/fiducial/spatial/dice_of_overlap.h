#pragma once

#include "fiducial/spatial/overlap.h"

namespace fiducial {

// 2I / (A + B); 1 when both are empty.
inline double dice_of(const Overlap& pair) {
  const std::int64_t sum = pair.reference + pair.prediction;
  return sum == 0 ? 1.0 : 2.0 * static_cast<double>(pair.both) / static_cast<double>(sum);
}

}  // namespace fiducial
