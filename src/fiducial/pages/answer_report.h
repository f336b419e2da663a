#pragma once

#include "fiducial/eval/diagnostic_score.h"

namespace fiducial {

// The output with report.html among its files. Run and request must outlive it.
ScoreOutput with_answer_report(ScoreOutput output, const DiagnosticRun& run,
                               const DiagnosticScoreRequest& request);

}  // namespace fiducial
