#pragma once

#include "fiducial/base/executor.h"
#include "fiducial/base/progress.h"
#include "fiducial/base/result.h"
#include "fiducial/datasets/lint_report.h"

namespace fiducial::rexgroundingct {

// Holds a dataset folder, and predictions and volumes where they are given, against every rule of the
// benchmark. A broken input is a problem, not a failure; fails only where there is no such folder or split.
//
// Reads every mask and prediction of the checked splits once, one case a thread. Of volumes it reads the
// header, a bounded sample of voxels, and as far as a few slices of the mask and their mirror images lie. The
// report does not depend on the number of threads.
Result<LintReport> lint(const LintRequest& request, const Executor& executor, Progress& progress);

}  // namespace fiducial::rexgroundingct
