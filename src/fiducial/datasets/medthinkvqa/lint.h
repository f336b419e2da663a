#pragma once

#include "fiducial/base/executor.h"
#include "fiducial/base/progress.h"
#include "fiducial/base/result.h"
#include "fiducial/datasets/lint_finding.h"

namespace fiducial::medthinkvqa {

// Holds a folder against rules S01 to S13. A broken input is a finding, not a failure; fails only where there
// is no such folder or split, or where predictions, volumes or metadata are given.
//
// Rows are streamed; images are read whole, one row a thread. The report does not depend on the number of
// threads.
Result<LintReport> lint(const LintRequest& request, const Executor& executor, Progress& progress);

}  // namespace fiducial::medthinkvqa
