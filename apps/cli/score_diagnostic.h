#pragma once

#include <string>

#include "fiducial/eval/diagnostic_score.h"

#include "console.h"

namespace fiducial::cli {

// Scores answers to questions, writes the folder and prints the scorecard; the exit status by how many cases
// have no answer.
Result<int> score_diagnostic(const DiagnosticScoreRequest& request, const std::string& max_failures,
                             bool json, Console& console);

}  // namespace fiducial::cli
