#pragma once

#include "fiducial/eval/run/score_run.h"

namespace fiducial {

// A run that is not concluded, or a part of one, as JSON and back: nothing is lost, every number to the last
// bit. What all parts of one run have in common stands apart from what each has of its own.
struct ScoreRunJson {
  Json common;
  Json own;
};
ScoreRunJson to_json(const ScoreRun& run);
Result<ScoreRun> parse_score_run(const ScoreRunJson& json);

// Puts parts of one run together, in the order of the cases' positions. They agree in what is common.
ScoreRun merged(std::vector<ScoreRun> parts);

}  // namespace fiducial
