#pragma once

#include <optional>

#include "fiducial/image/label_map.h"
#include "fiducial/spatial/components.h"
#include "fiducial/spatial/matching.h"
#include "fiducial/spatial/overlap.h"

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

// One finding as the reference has it (entities by label) and as it was predicted (any label is foreground).
//
// Both maps must have the same extent. What several metrics need is computed once, on demand; one thread at a
// time.
class FindingPair {
 public:
  FindingPair(LabelMap reference, LabelMap prediction, InstanceRules rules);

  const LabelMap& reference() const { return reference_; }
  const Mask& predicted_mask() const { return prediction_; }
  const InstanceRules& rules() const { return rules_; }

  const Overlap& overlap() const;           // of the masks as they are
  const Overlap& filtered_overlap() const;  // with only the kept components of the prediction
  const OverlapTable& instances() const;    // reference entities against kept components
  const InstanceMatching& matching(MatchRule rule) const;

 private:
  LabelMap reference_;
  Mask reference_mask_;
  Mask prediction_;
  InstanceRules rules_;
  mutable std::optional<Overlap> overlap_;
  mutable std::optional<Overlap> filtered_overlap_;
  mutable std::optional<OverlapTable> instances_;
  mutable std::optional<InstanceMatching> exact_;
  mutable std::optional<InstanceMatching> rexrank_;
};

// Counts of an instance matching.
struct InstanceCounts {
  std::int64_t true_positives = 0;
  std::int64_t false_positives = 0;
  std::int64_t false_negatives = 0;
};
InstanceCounts counts(const InstanceMatching& matching);

// Mean Dice of the matches, if there are any.
std::optional<double> mean_dice(const InstanceMatching& matching);

}  // namespace fiducial
