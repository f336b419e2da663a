#pragma once

#include <string>
#include <vector>

#include "fiducial/base/executor.h"
#include "fiducial/base/progress.h"
#include "fiducial/eval/task/task.h"

namespace fiducial {

// What does not agree between a score folder and its inputs as they are now, one line each; empty when all
// does.
struct Verification {
  std::vector<std::string> changed_inputs;   // files whose bytes are not those the scores were made from
  std::vector<std::string> changed_outputs;  // files that a new run of the same plan would write differently
  std::int64_t files_compared = 0;

  bool agrees() const { return changed_inputs.empty() && changed_outputs.empty(); }
  Json json() const;  // schema fiducial.verification/1
};

// The plan of a score folder.
Result<Json> read_plan(const Path& scores);

// Scores again by the options of the plan, with the files that `inputs` names for those the plan only has
// hashes of, and compares every hash and every output. Refuses inputs that the scores were not made with, and
// names those that are missing.
Result<Verification> verify_scores(const Path& scores, const Task& task, const TaskRequest& inputs,
                                   const Executor& executor, Progress& progress);

}  // namespace fiducial
