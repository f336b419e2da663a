#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "fiducial/base/result.h"
#include "fiducial/geometry/grid.h"

namespace fiducial {

// Voxels begin .. end-1 of one x row. The row of voxel (x, y, z) is y + extent.y * z.
struct MaskRun {
  std::int32_t row = 0;
  std::int32_t begin = 0;
  std::int32_t end = 0;

  friend bool operator==(const MaskRun&, const MaskRun&) = default;
};

// Half-open box of voxel indices; empty when low equals high.
struct VoxelBox {
  std::array<std::int64_t, 3> low{0, 0, 0};
  std::array<std::int64_t, 3> high{0, 0, 0};

  friend bool operator==(const VoxelBox&, const VoxelBox&) = default;
};

// A set of voxels on a grid, stored as the runs of each x row.
//
// Immutable. Runs are sorted by (row, begin); within a row they are non-empty and never touch, so two masks
// are equal exactly when grid and runs are. Set operations cost O(runs).
class Mask {
 public:
  explicit Mask(Grid grid) : grid_(grid) {}
  // Runs must be sorted and lie inside the grid; touching and overlapping ones are merged.
  static Mask from_sorted_runs(Grid grid, std::vector<MaskRun> runs);
  // From one byte a voxel, x fastest; non-zero is inside.
  static Mask from_dense(Grid grid, std::span<const std::uint8_t> voxels);

  const Grid& grid() const { return grid_; }
  const Extent& extent() const { return grid_.extent; }
  std::span<const MaskRun> runs() const { return runs_; }
  std::int64_t count() const { return count_; }
  bool empty() const { return runs_.empty(); }
  VoxelBox bounds() const;
  std::vector<std::uint8_t> dense() const;

  friend bool operator==(const Mask&, const Mask&) = default;

 private:
  Grid grid_;
  std::vector<MaskRun> runs_;
  std::int64_t count_ = 0;
};

// Set algebra. The two masks must have the same extent.
Mask united(const Mask& a, const Mask& b);
Mask intersected(const Mask& a, const Mask& b);
Mask subtracted(const Mask& a, const Mask& b);

// Rows fit 32 bits, which every mask relies on; files that break it are refused when they are read.
Outcome check_mask_extent(const Extent& extent);

}  // namespace fiducial
