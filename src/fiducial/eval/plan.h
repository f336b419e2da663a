#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "fiducial/base/json.h"
#include "fiducial/eval/metadata_groups.h"
#include "fiducial/metrics/metric.h"

namespace fiducial {

enum class ScoreMode { both, strict, official };
std::string_view to_string(ScoreMode mode);
Result<ScoreMode> parse_score_mode(std::string_view text);

// A metric of a run, under the id its parameters give it.
struct PlannedMetric {
  const MaskMetric* metric = nullptr;
  std::string id;  // the contract's id, with the parameters that were changed
};

// Everything that decides the numbers of a run.
struct ScorePlan {
  std::string benchmark;
  std::string split;
  ScoreMode mode = ScoreMode::both;
  std::string system;
  InstanceRules strict_rules;
  InstanceRules official_rules;
  bool global_only = false;      // official: Dice of all voxels, no instances
  double tolerance_mm = 1;       // strict: how far apart surfaces may be and still agree
  bool ignores_regions = false;  // strict: unmatched components in ignored regions are no false positives
  bool partial_labels = false;   // strict: findings of three entities or more may have others unmarked
  std::string conformance;       // official: SHA-256 of the published script that confirms it; may be empty
  std::uint64_t seed = 0;
  int resamples = 2000;
  std::vector<PlannedMetric> metrics;  // strict ones first
  std::vector<GroupColumn> group_by;   // columns of the metadata that make groups
  std::string metadata_file;           // where there are such columns: its name without folders, and its hash
  Digest metadata_digest;

  bool wants(Scorer scorer) const;
  std::vector<PlannedMetric> metrics_of(Scorer scorer) const;
};

// Fills plan.metrics from a list of contract ids and groups ("dice", "surface", ..., "all").
Outcome select_metrics(ScorePlan& plan, const std::vector<std::string>& wanted);

// The shortest list that select_metrics makes the same metrics of: groups where they are whole, else ids.
std::vector<std::string> metric_words(const ScorePlan& plan);

// The plan as it is written and hashed.
Json to_json(const ScorePlan& plan);

// A tolerance as part of an id: "tol2_5mm"; ids have no points.
std::string tolerance_text(double tolerance_mm);

}  // namespace fiducial
