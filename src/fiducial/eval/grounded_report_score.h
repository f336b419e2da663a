#pragma once

#include "fiducial/base/executor.h"
#include "fiducial/eval/table_score.h"
#include "fiducial/eval/task_run.h"

namespace fiducial {

inline constexpr const char* grounded_report_task = "grounded-report";

// Scores grounded reports against the findings of ReXGroundingCT, each with its mask, or against the
// sentences of RadGenome-Chest CT's region reports (docs/formats/grounded_reports.md).
Result<TaskRun> score_grounded_reports(const TableScoreRequest& request, const Executor& executor);

}  // namespace fiducial
