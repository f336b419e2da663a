#pragma once

#include <string>
#include <vector>

#include "fiducial/base/executor.h"
#include "fiducial/base/progress.h"
#include "fiducial/eval/diagnostic_score.h"
#include "fiducial/eval/score.h"
#include "fiducial/eval/table_score.h"

namespace fiducial {

// What does not agree between a score folder and its inputs as they are now, one line each; empty when all
// does.
struct Verification {
  std::vector<std::string> changed_inputs;   // files whose bytes are not those the scores were made from
  std::vector<std::string> changed_outputs;  // files that a new run of the same plan would write differently
  std::int64_t files_compared = 0;
};

// Answers to questions take the files of the request by the names of the plan.
Result<Verification> verify_answers(const Path& scores, DiagnosticScoreRequest inputs,
                                    const Executor& executor);
// Answers to tables, and grounded reports.
Result<Verification> verify_tasks(const Path& scores, TableScoreRequest inputs, const Executor& executor);
// Whether a score folder is of one of these.
Result<bool> holds_tasks(const Path& scores);
// Whether a score folder is of answers to questions.
Result<bool> holds_answers(const Path& scores);

// Hashes every input the plan names; where all agree, scores again by the same plan and compares what would
// be written.
Result<Verification> verify_scores(const Path& scores, const ScoreRequest& inputs, const Executor& executor,
                                   Progress& progress);

}  // namespace fiducial
