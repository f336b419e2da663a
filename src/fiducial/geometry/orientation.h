#pragma once

#include <array>
#include <string>
#include <string_view>
#include <vector>

#include "fiducial/base/result.h"
#include "fiducial/geometry/grid.h"

namespace fiducial {

// A rearrangement of array axes without interpolation: one of 6 permutations times 8 flips.
//
// Axis i of the result is axis source[i] of the input, read backwards where reversed[i].
struct Reorientation {
  std::array<int, 3> source{0, 1, 2};
  std::array<bool, 3> reversed{false, false, false};

  static const std::vector<Reorientation>& all();  // the 48, identity first, pure flips before permutations

  bool is_identity() const { return *this == Reorientation{}; }
  Reorientation inverse() const;
  Extent apply(const Extent& extent) const;
  Grid apply(const Grid& grid) const;  // every voxel keeps its place in the patient
  // The input voxel that ends up at a voxel of the result.
  std::array<std::int64_t, 3> source_voxel(const Extent& input, std::array<std::int64_t, 3> output) const;
  // What was done, in words: "flip x", "swap x and z", "axes zxy, flip y".
  std::string name() const;

  friend bool operator==(const Reorientation&, const Reorientation&) = default;
};

// Three letters that say where each index axis points, e.g. "LPS": towards left, posterior, superior.
class OrientationCode {
 public:
  static Result<OrientationCode> parse(std::string_view text);
  static OrientationCode of(const Affine& affine);  // the nearest axes for oblique ones

  std::string text() const;
  friend bool operator==(const OrientationCode&, const OrientationCode&) = default;
  friend Reorientation reorientation(const OrientationCode& from, const OrientationCode& to);

 private:
  std::array<int, 3> world_axis_{0, 1, 2};
  std::array<bool, 3> negative_{false, false, false};
};

// What turns arrays of one orientation into the other.
Reorientation reorientation(const OrientationCode& from, const OrientationCode& to);

}  // namespace fiducial
