#pragma once

#include "fiducial/spatial/overlap.h"

namespace fiducial {

// 2I / (A + B); 1 when both are empty.
inline double exact_dice(const Overlap& pair) {
  const std::int64_t sum = pair.reference + pair.prediction;
  return sum == 0 ? 1.0 : static_cast<double>(2 * pair.both) / static_cast<double>(sum);
}

// (2I + 1e-6) / (A + B + 1e-6) in double; 1 when both are empty. The published scorer of ReXGroundingCT.
inline double rexrank_dice(const Overlap& pair) {
  const std::int64_t sum = pair.reference + pair.prediction;
  if (sum == 0) return 1.0;
  return (2.0 * static_cast<double>(pair.both) + 1e-6) / (static_cast<double>(sum) + 1e-6);
}

// 2PR / (P + R) in that order, 0 when both are 0: the last bit differs from the form in counts.
inline double f1_of(double precision, double recall) {
  return precision + recall > 0 ? 2.0 * precision * recall / (precision + recall) : 0.0;
}

}  // namespace fiducial
