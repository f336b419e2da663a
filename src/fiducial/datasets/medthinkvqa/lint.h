#pragma once

#include "fiducial/base/executor.h"
#include "fiducial/base/progress.h"
#include "fiducial/base/result.h"
#include "fiducial/datasets/lint_report.h"

namespace fiducial::medthinkvqa {

// Holds a folder against rules S01 to S13 and audits its images, options and histories. With predictions, a
// JSONL file of answers to one split is held against the published format, and images are not opened; with a
// view, the JSONL file of what a model is shown is held against rule S14. A broken input is a problem, not a
// failure; fails only where there is no such folder or split, or where
// synonyms cannot be read.
//
// Rows are streamed, and images are decoded and forgotten, one row a thread. The report does not depend on
// the number of threads.
Result<LintReport> lint(const LintRequest& request, const Executor& executor, Progress& progress);

}  // namespace fiducial::medthinkvqa
