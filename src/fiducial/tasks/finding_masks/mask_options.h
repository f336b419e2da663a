#pragma once

#include <vector>

#include "fiducial/eval/task/task_call.h"
#include "fiducial/tasks/finding_masks/mask_plan.h"

namespace fiducial {

// The code of a remark about a prediction that belongs to no case of the split.
inline constexpr const char* unknown_file_code = "unknown_file";

// What the task is told beside what every task is told.
std::vector<TaskOption> mask_options();

// The rules that a call asks for on a split.
Result<MaskPlan> mask_plan_of(const TaskCall& call, const std::string& split);
// The rules that a run was made by.
Result<MaskPlan> mask_plan_of(const ScoreRun& run);

// The options behind a plan of schema fiducial.plan/1.
OptionValues mask_options_of_first_plans(const Json& plan);

}  // namespace fiducial
