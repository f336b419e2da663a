#pragma once

#include <cstdint>

namespace fiducial {

// The squared length of some steps along one axis.
inline double square_mm(std::int64_t steps, double spacing_mm) {
  const double mm = static_cast<double>(steps) * spacing_mm;
  return mm * mm;
}

}  // namespace fiducial
