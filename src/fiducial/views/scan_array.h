#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "fiducial/base/file.h"
#include "fiducial/geometry/grid.h"
#include "fiducial/views/view_policy.h"

namespace fiducial {

// A scan in memory, in whole Hounsfield units, x fastest.
struct ScanArray {
  Grid grid;
  std::vector<std::int16_t> hu;

  // A NIfTI file or a folder with a series. Refuses one that does not say how it lies in the patient.
  static Result<ScanArray> read(const Path& path);
  std::int16_t at(const std::array<std::int64_t, 3>& voxel) const {
    return hu[static_cast<std::size_t>(voxel[0] + grid.extent[0] * (voxel[1] + grid.extent[1] * voxel[2]))];
  }
};

// How the slices of an array lie on a screen, as radiologists look at them. Axial: the patient's right on the
// left, anterior on top, from the head down. Coronal: the patient's right on the left, the head on top, from
// the front back. Sagittal: anterior on the left, the head on top, from the patient's right to the left.
struct PlaneAxes {
  ViewPlane plane = ViewPlane::axial;
  std::array<int, 3> axis{0, 1, 2};  // array axes along a screen row, down the screen, from slice to slice
  std::array<bool, 3> reversed{false, false, false};
  std::array<std::int64_t, 3> count{1, 1, 1};       // columns, rows, slices
  std::array<std::int64_t, 3> spacing_um{1, 1, 1};  // of the same

  // The nearest axes for oblique grids.
  static PlaneAxes of(const Grid& grid, ViewPlane plane);
  std::array<std::int64_t, 3> voxel(std::int64_t column, std::int64_t row, std::int64_t slice) const;
};

}  // namespace fiducial
