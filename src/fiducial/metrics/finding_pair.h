#pragma once

#include <optional>

#include "fiducial/image/label_map.h"
#include "fiducial/spatial/components.h"
#include "fiducial/spatial/entity_matching.h"
#include "fiducial/spatial/matching.h"
#include "fiducial/spatial/overlap.h"
#include "fiducial/spatial/surface_distance.h"

namespace fiducial {

// How a predicted mask becomes instances.
struct InstanceRules {
  Connectivity connectivity = Connectivity::edges18;
  std::int64_t min_voxels = 10;
  std::int32_t max_components = 50;

  friend bool operator==(const InstanceRules&, const InstanceRules&) = default;
};

// When two instances match.
enum class MatchRule {
  exact,    // Dice as a fraction of integers, at least 1/5
  rexrank,  // Dice with epsilon in double, at least 0.2
};

// What is known of a finding beside its masks.
struct FindingContext {
  std::optional<Vec3> spacing_mm;  // of the CT, all above 0; without it nothing is measured in mm
  double tolerance_mm = 1;         // how far apart surfaces may be and still agree
  std::optional<bool> focal;       // whether its category is typically focal; unset: no such category
  bool partial = false;            // the reference may lack entities: what is unmatched may be right
  std::optional<Mask> ignored;  // where a component that matches nothing is not held against the prediction
};

// Counts of an instance matching.
struct InstanceCounts {
  std::int64_t true_positives = 0;
  std::int64_t false_positives = 0;
  std::int64_t false_negatives = 0;
};

// One finding as the reference has it (entities by label) and as it was predicted. Any label of a prediction
// is foreground; to entities() several labels also keep apart what touches.
//
// Both maps must have the same extent. What several metrics need is computed once, on demand; one thread at a
// time.
class FindingPair {
 public:
  FindingPair(LabelMap reference, const LabelMap& prediction, InstanceRules rules,
              FindingContext context = {});

  const LabelMap& reference() const { return reference_; }
  const Mask& predicted_mask() const { return prediction_; }
  const Mask& reference_mask() const { return reference_mask_; }
  const InstanceRules& rules() const { return rules_; }
  const FindingContext& context() const { return context_; }

  const Overlap& overlap() const;           // of the masks as they are
  const Overlap& filtered_overlap() const;  // with only the kept components of the prediction
  const OverlapTable& instances() const;    // reference entities against kept components
  const LabelMap& kept_components() const;  // of the prediction
  // Reference entities against every component, by the rule of entity_matching.h. Components below min_voxels
  // that found no entity are one false positive for every min_voxels voxels of them together.
  const EntityMatching& entities() const;
  const InstanceCounts& entity_counts() const;
  // Only by the exact rule are components in ignored regions left out of what is unmatched.
  const InstanceMatching& matching(MatchRule rule) const;
  // Whether more than half of a kept component lies in the ignored regions.
  bool is_ignored(std::int32_t kept_component) const;

  const SurfaceComparison& surfaces() const;      // needs a spacing
  const InstanceCounts& distance_counts() const;  // by distance_matching.h; needs a spacing and focality

 private:
  const Components& all_components() const;
  const Components& entity_components() const;  // all, kept apart by label where there are several
  const OverlapTable& component_table() const;  // reference entities against all components
  const std::vector<std::int32_t>& kept() const;
  // Labels of components of which more than half lies in the ignored regions, ascending.
  std::vector<std::int32_t> ignored_among(const LabelMap& components) const;

  LabelMap reference_;
  Mask reference_mask_;
  Mask prediction_;
  std::optional<LabelMap> predicted_labels_;  // where there are several
  InstanceRules rules_;
  FindingContext context_;
  mutable std::optional<Components> components_;
  mutable std::optional<Components> labelled_components_;
  mutable std::optional<std::vector<std::int32_t>> kept_ids_;  // beside components_.voxels; 0: dropped
  mutable std::optional<LabelMap> kept_;
  mutable std::optional<std::vector<std::int32_t>> ignored_components_;  // ascending; of those kept
  mutable std::optional<OverlapTable> component_table_;
  mutable std::optional<EntityMatching> entities_;
  mutable std::optional<InstanceCounts> entity_counts_;
  mutable std::optional<SurfaceComparison> surfaces_;
  mutable std::optional<InstanceCounts> distance_counts_;
  mutable std::optional<Overlap> overlap_;
  mutable std::optional<Overlap> filtered_overlap_;
  mutable std::optional<OverlapTable> instances_;
  mutable std::optional<InstanceMatching> exact_;
  mutable std::optional<InstanceMatching> rexrank_;
};

InstanceCounts counts(const InstanceMatching& matching);

// Mean Dice of the matches, if there are any.
std::optional<double> mean_dice(const InstanceMatching& matching);

}  // namespace fiducial
