#pragma once

#include <vector>

#include "fiducial/base/json.h"
#include "fiducial/base/sha256.h"
#include "fiducial/eval/case_score.h"
#include "fiducial/eval/plan.h"
#include "fiducial/table/table.h"

namespace fiducial {

// Everything a finished run knows.
struct ScoredRun {
  ScorePlan plan;
  std::string dataset_file;
  Digest dataset_digest;
  std::vector<CaseScore> cases;            // by name
  std::vector<std::string> unknown_files;  // predictions that belong to no case of the split
};

// The resolved plan with the hashes of all it was applied to.
Json plan_json(const ScoredRun& run);

// Headline values, groups, counts and where they come from; plan_digest is the hash of the plan's text.
Json summary_json(const ScoredRun& run, const Digest& plan_digest);

// One row for every case, finding and metric.
Table rows_table(const ScoredRun& run);

// The published scorer's own file, key for key. Predictions it would have stopped at are error entries.
Json rexrank_json(const ScoredRun& run);

}  // namespace fiducial
