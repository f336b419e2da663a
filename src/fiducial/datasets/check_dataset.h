#pragma once

#include "fiducial/base/executor.h"
#include "fiducial/base/progress.h"
#include "fiducial/base/result.h"
#include "fiducial/datasets/lint_report.h"

namespace fiducial {

// Holds a folder, or a file that can be checked by itself, against the rules of its layout, and a folder of
// no layout that `fiducial curate` wrote against those of curated_check.h; refuses inputs that there are no
// rules for.
Result<LintReport> check_dataset(const LintRequest& request, const Executor& executor, Progress& progress);

}  // namespace fiducial
