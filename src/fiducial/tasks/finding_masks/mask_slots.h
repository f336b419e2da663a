#pragma once

#include "fiducial/eval/run/score_run.h"
#include "fiducial/tasks/finding_masks/mask_plan.h"

namespace fiducial {

// Adds every slot that the planned metrics of a scorer can fill; their columns begin at `first`. Slots such
// as dice_per_case come in a fixed order, then the mean over findings of every metric that has no slot among
// them. Instance counts only stand behind pooled shares.
void add_mask_slots(ScoreRun& run, const MaskPlan& plan, Scorer scorer, std::size_t first);

}  // namespace fiducial
