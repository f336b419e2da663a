#pragma once

#include "fiducial/eval/table_score.h"

#include "score_diagnostic.h"

namespace fiducial::cli {

// Scores answers to tables or grounded reports, writes the folder and prints the scorecard; the exit status
// by how many questions have no answer.
Result<int> score_tasks_and_tell(const TableScoreRequest& request, const AnswerOutput& output,
                                 Console& console);

}  // namespace fiducial::cli
