#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "fiducial/geometry/grid.h"
#include "fiducial/image/mask.h"

namespace fiducial {

// Voxels begin .. end-1 of one x row that all carry the same non-zero label.
struct LabelRun {
  std::int32_t row = 0;
  std::int32_t begin = 0;
  std::int32_t end = 0;
  std::int32_t label = 0;

  friend bool operator==(const LabelRun&, const LabelRun&) = default;
};

// Integer labels on a grid; label 0 is background and is not stored.
//
// Immutable. Runs are sorted by (row, begin) and never overlap; runs that touch differ in label.
class LabelMap {
 public:
  explicit LabelMap(Grid grid) : grid_(grid) {}
  // Runs must satisfy the invariant.
  LabelMap(Grid grid, std::vector<LabelRun> runs) : grid_(grid), runs_(std::move(runs)) {}

  const Grid& grid() const { return grid_; }
  const Extent& extent() const { return grid_.extent; }
  std::span<const LabelRun> runs() const { return runs_; }
  bool empty() const { return runs_.empty(); }
  std::int64_t count() const;                // voxels with any label
  std::vector<std::int32_t> labels() const;  // distinct, ascending

  Mask foreground() const;
  Mask where(std::int32_t label) const;
  LabelMap on_grid(const Affine& affine) const;  // the same voxels, placed elsewhere in the patient

  // Every label replaced by what the function says; 0 removes a run. Equal neighbours are merged.
  template <typename Function>
  LabelMap relabelled(Function label_of) const;

  friend bool operator==(const LabelMap&, const LabelMap&) = default;

 private:
  Grid grid_;
  std::vector<LabelRun> runs_;
};

template <typename Function>
LabelMap LabelMap::relabelled(Function label_of) const {
  std::vector<LabelRun> out;
  out.reserve(runs_.size());
  for (LabelRun run : runs_) {
    run.label = label_of(run.label);
    if (run.label == 0) continue;
    if (!out.empty() && out.back().row == run.row && out.back().end == run.begin &&
        out.back().label == run.label) {
      out.back().end = run.end;
    } else {
      out.push_back(run);
    }
  }
  return {grid_, std::move(out)};
}

}  // namespace fiducial
