#pragma once

#include "fiducial/base/progress.h"
#include "fiducial/base/result.h"
#include "fiducial/datasets/lint_report.h"

namespace fiducial {

// Whether a folder holds outputs of `fiducial curate` that say what they make of the same reports: those of
// one stage, of several in folders beside each other, or of `curate ctrate`.
bool is_curated_folder(const Path& folder);

// Holds outputs of stages against each other (curated_rules.def): what is stated in one is denied in none. A
// file that is not there is not compared. Memory grows with the number of facts and findings, some bytes
// each.
Result<LintReport> check_curated(const LintRequest& request, Progress& progress);

}  // namespace fiducial
