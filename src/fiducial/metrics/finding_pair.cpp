#include "fiducial/metrics/finding_pair.h"

#include <algorithm>
#include <numeric>

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

// A table with only the kept predictions, under their new labels, which ascend as the old ones do.
OverlapTable with_kept(const OverlapTable& table, const std::vector<std::int32_t>& kept_ids) {
  OverlapTable out{.reference = table.reference, .prediction = {}, .pairs = {}};
  std::vector<std::int32_t> place(table.prediction.size(), -1);
  for (std::size_t i = 0; i < table.prediction.size(); ++i) {
    const std::int32_t id = kept_ids[static_cast<std::size_t>(table.prediction[i].label) - 1];
    if (id == 0) continue;
    place[i] = static_cast<std::int32_t>(out.prediction.size());
    out.prediction.push_back({id, table.prediction[i].voxels});
  }
  for (OverlapTable::Pair pair : table.pairs) {
    pair.prediction_index = place[static_cast<std::size_t>(pair.prediction_index)];
    if (pair.prediction_index >= 0) out.pairs.push_back(pair);
  }
  return out;
}

std::vector<std::int32_t> clusters_of_one(std::size_t entities) {
  std::vector<std::int32_t> out(entities);
  std::iota(out.begin(), out.end(), 0);
  return out;
}

}  // namespace

FindingPair::FindingPair(LabelMap reference, const LabelMap& prediction, InstanceRules rules,
                         FindingContext context)
    : reference_(std::move(reference)),
      reference_mask_(reference_.foreground()),
      prediction_(prediction.foreground()),
      rules_(rules),
      context_(std::move(context)) {
  const auto runs = prediction.runs();
  const bool has_several = std::any_of(
      runs.begin(), runs.end(), [&runs](const LabelRun& run) { return run.label != runs.front().label; });
  if (has_several) predicted_labels_ = prediction;
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

const Components& FindingPair::all_components() const {
  if (!components_) components_ = components(prediction_, rules_.connectivity);
  return *components_;
}

const OverlapTable& FindingPair::component_table() const {
  if (!component_table_) component_table_ = *overlap_table(reference_, all_components().labels);
  return *component_table_;
}

const std::vector<std::int32_t>& FindingPair::kept() const {
  if (!kept_ids_) kept_ids_ = kept_ids(all_components().voxels, rules_.min_voxels, rules_.max_components);
  return *kept_ids_;
}

const LabelMap& FindingPair::kept_components() const {
  if (!kept_) {
    const std::vector<std::int32_t>& ids = kept();
    kept_ = all_components().labels.relabelled(
        [&ids](std::int32_t id) { return ids[static_cast<std::size_t>(id) - 1]; });
  }
  return *kept_;
}

const OverlapTable& FindingPair::instances() const {
  if (!instances_) instances_ = with_kept(component_table(), kept());
  return *instances_;
}

const Components& FindingPair::entity_components() const {
  if (!predicted_labels_) return all_components();
  if (!labelled_components_) labelled_components_ = components(*predicted_labels_, rules_.connectivity);
  return *labelled_components_;
}

const EntityMatching& FindingPair::entities() const {
  if (!entities_) {
    std::optional<OverlapTable> labelled;
    if (predicted_labels_) labelled = *overlap_table(reference_, entity_components().labels);
    const OverlapTable& table = labelled ? *labelled : component_table();
    entities_ =
        match_entities(table, has_shared_component(table) ? entity_clusters(reference_, rules_.connectivity)
                                                          : clusters_of_one(table.reference.size()));
  }
  return *entities_;
}

const InstanceCounts& FindingPair::entity_counts() const {
  if (entity_counts_) return *entity_counts_;
  const EntityMatching& found = entities();
  entity_counts_ = {static_cast<std::int64_t>(found.dice.size()), 0, found.unmatched_entities};
  const std::vector<std::int32_t> ignored = ignored_among(entity_components().labels);
  std::int64_t dust = 0;
  for (const OverlapTable::Label& component : found.unmatched_components) {
    if (std::binary_search(ignored.begin(), ignored.end(), component.label)) continue;
    const bool is_dust = component.voxels < rules_.min_voxels;
    dust += is_dust ? component.voxels : 0;
    entity_counts_->false_positives += is_dust ? 0 : 1;
  }
  if (dust > 0) entity_counts_->false_positives += dust / rules_.min_voxels;
  return *entity_counts_;
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

std::vector<std::int32_t> FindingPair::ignored_among(const LabelMap& components) const {
  std::vector<std::int32_t> out;
  if (!context_.ignored) return out;
  const OverlapTable table = *overlap_table(as_labels(*context_.ignored), components);
  for (const auto& pair : table.pairs) {
    const auto& whole = table.prediction[static_cast<std::size_t>(pair.prediction_index)];
    if (2 * pair.voxels > whole.voxels) out.push_back(whole.label);
  }
  return out;
}

bool FindingPair::is_ignored(std::int32_t kept_component) const {
  if (!context_.ignored) return false;
  if (!ignored_components_) ignored_components_ = ignored_among(kept_components());
  return std::binary_search(ignored_components_->begin(), ignored_components_->end(), kept_component);
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
