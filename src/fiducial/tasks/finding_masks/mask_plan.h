#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "fiducial/base/json.h"
#include "fiducial/eval/run/score_mode.h"
#include "fiducial/metrics/metric.h"

namespace fiducial {

// A metric of a run, under the id its parameters give it.
struct PlannedMetric {
  const MaskMetric* metric = nullptr;
  std::string id;  // the contract's id, with the parameters that were changed
};

// Everything that decides the scores of finding masks.
struct MaskPlan {
  ScoreMode mode = ScoreMode::both;
  InstanceRules strict_rules;
  InstanceRules official_rules;
  bool global_only = false;      // official: Dice of all voxels, no instances
  double tolerance_mm = 1;       // strict: how far apart surfaces may be and still agree
  bool ignores_regions = false;  // strict: unmatched components in ignored regions are no false positives
  bool partial_labels = false;   // strict: findings of three entities or more may have others unmarked
  std::string conformance;       // official: SHA-256 of the published script that confirms it; may be empty
  std::vector<PlannedMetric> metrics;  // strict ones first

  bool wants(Scorer scorer) const;
  std::vector<PlannedMetric> metrics_of(Scorer scorer) const;
};

// Fills plan.metrics from a list of contract ids and groups ("dice", "surface", ..., "all").
Outcome select_metrics(MaskPlan& plan, const std::vector<std::string>& wanted);

// The rules as plans record them.
Json to_json(const MaskPlan& plan);

// A tolerance as part of an id: "tol2_5mm"; ids have no points.
std::string tolerance_text(double tolerance_mm);

}  // namespace fiducial
