#pragma once

#include <vector>

#include "fiducial/eval/task/task_call.h"
#include "fiducial/tasks/region_tables/region_units.h"

namespace fiducial {

// Where predicted masks lie in PREDICTIONS, a folder or a zip.
inline constexpr const char* organ_masks_folder = "masks/";

std::vector<TaskOption> organ_mask_options();

// Scores predicted organ masks; a unit of a mask is its region. Nothing happens where neither side has masks.
Outcome score_region_masks(TaskCall& call, const RegionUnits& units, ScoreRun& run);

// The block of masks, and what became of them as an entry of the summary's tasks.
Outcome conclude_region_masks(ScoreRun& run, Json& tasks);

}  // namespace fiducial
