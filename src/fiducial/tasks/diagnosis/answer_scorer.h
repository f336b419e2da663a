#pragma once

#include <vector>

#include "fiducial/eval/task/task_call.h"
#include "fiducial/tasks/diagnosis/answered_split.h"

namespace fiducial {

// Scores the cases of a split that the call holds: answers, texts of steps, judged steps, discussions and
// baselines, as far as inputs are given. A metric that is asked for by name but lacks its inputs is
// unavailable; with "all" its slots say so.
Result<AnsweredSplit> score_answers(const TaskCall& call, const std::vector<DiagnosisCase>& cases,
                                    AnswerPredictions predictions);

}  // namespace fiducial
