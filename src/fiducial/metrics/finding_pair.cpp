#include "fiducial/metrics/finding_pair.h"

#include "fiducial/metrics/dice_formula.h"

namespace fiducial {

namespace {

PairScore exact_score(const Overlap& pair) {
  return {exact_dice(pair), 10 * pair.both >= pair.reference + pair.prediction};
}

PairScore rexrank_score(const Overlap& pair) {
  const double dice = rexrank_dice(pair);
  return {dice, dice >= 0.2};
}

std::int64_t total(const std::vector<OverlapTable::Label>& labels) {
  std::int64_t voxels = 0;
  for (const auto& label : labels) voxels += label.voxels;
  return voxels;
}

}  // namespace

FindingPair::FindingPair(LabelMap reference, LabelMap prediction, InstanceRules rules)
    : reference_(std::move(reference)),
      reference_mask_(reference_.foreground()),
      prediction_(prediction.foreground()),
      rules_(rules) {
  FIDUCIAL_ASSERT(reference_.extent() == prediction.extent());
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

const OverlapTable& FindingPair::instances() const {
  if (!instances_) {
    const Components kept =
        largest(without_small(components(prediction_, rules_.connectivity), rules_.min_voxels),
                rules_.max_components);
    instances_ = *overlap_table(reference_, kept.labels);
  }
  return *instances_;
}

const InstanceMatching& FindingPair::matching(MatchRule rule) const {
  std::optional<InstanceMatching>& slot = rule == MatchRule::exact ? exact_ : rexrank_;
  if (!slot) slot = match_greedily(instances(), rule == MatchRule::exact ? exact_score : rexrank_score);
  return *slot;
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
