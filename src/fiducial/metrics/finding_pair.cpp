#include "fiducial/metrics/finding_pair.h"

#include <algorithm>

#include "fiducial/metrics/dice_formula.h"
#include "fiducial/metrics/distance_matching.h"

namespace fiducial {

namespace {

PairScore exact_score(const Overlap& pair) {
  return {exact_dice(pair), 10 * pair.both >= pair.reference + pair.prediction};
}

PairScore rexrank_score(const Overlap& pair) {
  const double dice = rexrank_dice(pair);
  return {dice, dice >= 0.2};
}

LabelMap as_labels(const Mask& mask) {
  std::vector<LabelRun> runs;
  for (const MaskRun& run : mask.runs()) runs.push_back({run.row, run.begin, run.end, 1});
  return {mask.grid(), std::move(runs)};
}

std::int64_t total(const std::vector<OverlapTable::Label>& labels) {
  std::int64_t voxels = 0;
  for (const auto& label : labels) voxels += label.voxels;
  return voxels;
}

}  // namespace

FindingPair::FindingPair(LabelMap reference, const LabelMap& prediction, InstanceRules rules,
                         FindingContext context)
    : reference_(std::move(reference)),
      reference_mask_(reference_.foreground()),
      prediction_(prediction.foreground()),
      rules_(rules),
      context_(std::move(context)) {
  FIDUCIAL_ASSERT(reference_.extent() == prediction.extent());
  FIDUCIAL_ASSERT(!context_.ignored || context_.ignored->extent() == reference_.extent());
}

const Overlap& FindingPair::overlap() const {
  if (!overlap_) overlap_ = *fiducial::overlap(reference_mask_, prediction_);
  return *overlap_;
}

const Overlap& FindingPair::filtered_overlap() const {
  if (!filtered_overlap_) {
    const OverlapTable& table = instances();
    filtered_overlap_ = Overlap{total(table.reference), total(table.prediction), 0};
    for (const auto& pair : table.pairs) filtered_overlap_->both += pair.voxels;
  }
  return *filtered_overlap_;
}

const LabelMap& FindingPair::kept_components() const {
  if (!kept_) {
    kept_ = largest(without_small(components(prediction_, rules_.connectivity), rules_.min_voxels),
                    rules_.max_components)
                .labels;
  }
  return *kept_;
}

const OverlapTable& FindingPair::instances() const {
  if (!instances_) instances_ = *overlap_table(reference_, kept_components());
  return *instances_;
}

const InstanceMatching& FindingPair::matching(MatchRule rule) const {
  std::optional<InstanceMatching>& slot = rule == MatchRule::exact ? exact_ : rexrank_;
  if (slot) return *slot;
  slot = match_greedily(instances(), rule == MatchRule::exact ? exact_score : rexrank_score);
  if (rule == MatchRule::exact) {
    std::erase_if(slot->unmatched_prediction, [this](std::int32_t label) { return is_ignored(label); });
  }
  return *slot;
}

bool FindingPair::is_ignored(std::int32_t component) const {
  if (!context_.ignored) return false;
  if (!ignored_components_) {
    const LabelMap regions = as_labels(*context_.ignored);
    const OverlapTable table = *overlap_table(regions, kept_components());
    ignored_components_.emplace();
    for (const auto& pair : table.pairs) {
      const auto& whole = table.prediction[static_cast<std::size_t>(pair.prediction_index)];
      if (2 * pair.voxels > whole.voxels) ignored_components_->push_back(whole.label);
    }
  }
  return std::binary_search(ignored_components_->begin(), ignored_components_->end(), component);
}

const SurfaceComparison& FindingPair::surfaces() const {
  if (!surfaces_) surfaces_.emplace(reference_mask_, prediction_, *context_.spacing_mm);
  return *surfaces_;
}

const InstanceCounts& FindingPair::distance_counts() const {
  if (!distance_counts_) distance_counts_ = match_by_distance(*this);
  return *distance_counts_;
}

InstanceCounts counts(const InstanceMatching& matching) {
  return {static_cast<std::int64_t>(matching.matches.size()),
          static_cast<std::int64_t>(matching.unmatched_prediction.size()),
          static_cast<std::int64_t>(matching.unmatched_reference.size())};
}

std::optional<double> mean_dice(const InstanceMatching& matching) {
  if (matching.matches.empty()) return std::nullopt;
  double sum = 0;
  for (const InstanceMatch& match : matching.matches) sum += match.dice;
  return sum / static_cast<double>(matching.matches.size());
}

}  // namespace fiducial
