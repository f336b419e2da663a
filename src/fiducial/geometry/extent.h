#pragma once

#include <array>
#include <cstdint>
#include <string>

namespace fiducial {

// Voxel counts along the three index axes of an array; x varies fastest in memory.
struct Extent {
  std::int64_t x = 0;
  std::int64_t y = 0;
  std::int64_t z = 0;

  std::int64_t operator[](int axis) const { return axis == 0 ? x : axis == 1 ? y : z; }
  std::int64_t count() const { return x * y * z; }
  std::int64_t rows() const { return y * z; }
  std::string text() const;  // "512 x 512 x 300"

  friend bool operator==(const Extent&, const Extent&) = default;
};

}  // namespace fiducial
