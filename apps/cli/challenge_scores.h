#pragma once

#include <string>

#include "fiducial/eval/run/score_run.h"
#include "fiducial/export/challenge_input.h"

#include "console.h"

namespace fiducial::cli {

// What a container that evaluates for grand-challenge.org writes beside its scores.
Outcome write_challenge_metrics(const std::string& folder, const Json& summary, const ScoreRun& run,
                                bool is_private);

}  // namespace fiducial::cli
