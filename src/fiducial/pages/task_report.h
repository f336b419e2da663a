#pragma once

#include "fiducial/eval/table_score.h"

namespace fiducial {

// The output with report.html among its files. Run and request must outlive it.
ScoreOutput with_task_report(ScoreOutput output, const TaskRun& run, const TableScoreRequest& request);

}  // namespace fiducial
