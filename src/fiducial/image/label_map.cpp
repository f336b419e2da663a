#include "fiducial/image/label_map.h"

#include <algorithm>

namespace fiducial {

std::int64_t LabelMap::count() const {
  std::int64_t voxels = 0;
  for (const LabelRun& run : runs_) voxels += run.end - run.begin;
  return voxels;
}

std::vector<std::int32_t> LabelMap::labels() const {
  std::vector<std::int32_t> out;
  for (const LabelRun& run : runs_) {
    if (out.empty() || out.back() != run.label) out.push_back(run.label);
  }
  std::sort(out.begin(), out.end());
  out.erase(std::unique(out.begin(), out.end()), out.end());
  return out;
}

Mask LabelMap::foreground() const {
  std::vector<MaskRun> out;
  out.reserve(runs_.size());
  for (const LabelRun& run : runs_) out.push_back({run.row, run.begin, run.end});
  return Mask::from_sorted_runs(grid_, std::move(out));
}

Mask LabelMap::where(std::int32_t label) const {
  std::vector<MaskRun> out;
  for (const LabelRun& run : runs_) {
    if (run.label == label) out.push_back({run.row, run.begin, run.end});
  }
  return Mask::from_sorted_runs(grid_, std::move(out));
}

LabelMap LabelMap::on_grid(const Affine& affine) const { return {Grid{grid_.extent, affine}, runs_}; }

}  // namespace fiducial
