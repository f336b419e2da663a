#pragma once

#include "fiducial/base/executor.h"
#include "fiducial/base/progress.h"
#include "fiducial/base/result.h"
#include "fiducial/datasets/lint_report.h"

namespace fiducial::radgenome {

// Holds the tables of a folder, or one table, against their rules, and finds out how far their questions can
// be answered without the image. A table of questions of any other origin is audited
// for that, repetitions and contradictions. A broken table is a problem, not a failure.
Result<LintReport> lint(const LintRequest& request, const Executor& executor, Progress& progress);

// Whether a path is a table that can be checked by itself: a file named .csv or .csv.gz.
bool is_table_file(const Path& path);

}  // namespace fiducial::radgenome
