#include "fiducial/spatial/overlap.h"

#include <algorithm>
#include <unordered_map>

namespace fiducial {

namespace {

Outcome check_extents(const Extent& reference, const Extent& prediction) {
  if (reference == prediction) return done();
  return invalid_data("masks lie on different grids: " + reference.text() + " and " + prediction.text() +
                      " voxels");
}

// Calls visit(a, b, voxels) for every pair of runs that share voxels, in the order of the runs.
template <typename RunA, typename RunB, typename Visit>
void for_each_shared(std::span<const RunA> a, std::span<const RunB> b, Visit visit) {
  std::size_t i = 0;
  std::size_t j = 0;
  while (i < a.size() && j < b.size()) {
    if (a[i].row != b[j].row) {
      a[i].row < b[j].row ? ++i : ++j;
      continue;
    }
    const std::int32_t voxels = std::min(a[i].end, b[j].end) - std::max(a[i].begin, b[j].begin);
    if (voxels > 0) visit(a[i], b[j], voxels);
    a[i].end < b[j].end ? ++i : ++j;
  }
}

// Labels of a map in ascending order with their sizes, and where each stands.
class LabelIndex {
 public:
  explicit LabelIndex(const LabelMap& map) {
    for (const std::int32_t label : map.labels()) {
      position_.emplace(label, static_cast<std::int32_t>(rows_.size()));
      rows_.push_back({label, 0});
    }
    for (const LabelRun& run : map.runs()) {
      rows_[static_cast<std::size_t>(position(run.label))].voxels += run.end - run.begin;
    }
  }

  std::int32_t position(std::int32_t label) {
    if (label != last_label_) {
      last_label_ = label;
      last_position_ = position_.at(label);
    }
    return last_position_;
  }
  std::vector<OverlapTable::Label> take() { return std::move(rows_); }

 private:
  std::vector<OverlapTable::Label> rows_;
  std::unordered_map<std::int32_t, std::int32_t> position_;
  std::int32_t last_label_ = 0;  // never stored: 0 is background
  std::int32_t last_position_ = 0;
};

std::uint64_t pair_key(std::int32_t reference_index, std::int32_t prediction_index) {
  return (static_cast<std::uint64_t>(static_cast<std::uint32_t>(reference_index)) << 32) |
         static_cast<std::uint32_t>(prediction_index);
}

}  // namespace

Result<Overlap> overlap(const Mask& reference, const Mask& prediction) {
  FIDUCIAL_TRY_DONE(check_extents(reference.extent(), prediction.extent()));
  Overlap out{reference.count(), prediction.count(), 0};
  for_each_shared(reference.runs(), prediction.runs(),
                  [&out](const MaskRun&, const MaskRun&, std::int32_t voxels) { out.both += voxels; });
  return out;
}

Result<OverlapTable> overlap_table(const LabelMap& reference, const LabelMap& prediction) {
  FIDUCIAL_TRY_DONE(check_extents(reference.extent(), prediction.extent()));
  LabelIndex of_reference(reference);
  LabelIndex of_prediction(prediction);
  std::unordered_map<std::uint64_t, std::int64_t> shared;
  for_each_shared(
      reference.runs(), prediction.runs(), [&](const LabelRun& a, const LabelRun& b, std::int32_t voxels) {
        shared[pair_key(of_reference.position(a.label), of_prediction.position(b.label))] += voxels;
      });
  OverlapTable out{of_reference.take(), of_prediction.take(), {}};
  out.pairs.reserve(shared.size());
  for (const auto& [key, voxels] : shared) {
    out.pairs.push_back(
        {static_cast<std::int32_t>(key >> 32), static_cast<std::int32_t>(key & 0xFFFFFFFF), voxels});
  }
  std::sort(out.pairs.begin(), out.pairs.end(), [](const auto& a, const auto& b) {
    return pair_key(a.reference_index, a.prediction_index) < pair_key(b.reference_index, b.prediction_index);
  });
  return out;
}

}  // namespace fiducial
