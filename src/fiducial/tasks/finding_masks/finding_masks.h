#pragma once

#include <string>
#include <vector>

#include "fiducial/datasets/prediction_files.h"
#include "fiducial/eval/task/task.h"

namespace fiducial {

// Free-text findings segmented in 3D: a mask for every finding of a case.
Task finding_masks_task();

// The cases of a split in the order of every output; an error where it has none.
Result<std::vector<GroundedCase>> cases_by_name(const GroundedDataset& dataset, const std::string& split);

// Those of them that the call holds, with the files that are read of each.
std::vector<TaskCase> task_cases(const TaskCall& call, const GroundedDataset& dataset,
                                 const std::vector<GroundedCase>& cases);

// Tells of files that look like predictions but belong to no case.
void remark_unknown_files(const TaskCall& call, const PredictionFiles& predictions,
                          const std::vector<GroundedCase>& cases, ScoreRun& run);

}  // namespace fiducial
