#pragma once

#include <vector>

#include "fiducial/eval/run/score_run.h"
#include "fiducial/tasks/finding_masks/case_score.h"
#include "fiducial/tasks/finding_masks/mask_plan.h"

namespace fiducial {

// Adds scored cases to a run: units are findings, columns the planned metrics, measures the slots they fill.
void add_masks(ScoreRun& run, const MaskPlan& plan, const std::vector<CaseScore>& cases);

// Fills what is made from all cases together: counts, the rearrangement that would fit, rexrank.json.
Outcome conclude_masks(ScoreRun& run);

}  // namespace fiducial
