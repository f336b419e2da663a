#pragma once

#include "fiducial/datasets/dataset_adapter.h"

namespace fiducial {

// What default_lint takes: predictions where the cases have masks.
std::vector<LintInput> default_lint_inputs(const DatasetAdapter& adapter);

// Holds a folder against the rules of any layout (shared_rules.def, and submission_rules.def for
// predictions): every split can be read, names and patients are in one split, and masks are there, whole, and
// of one channel a finding. Fails where the folder cannot be opened.
Result<LintReport> default_lint(const DatasetAdapter& adapter, const LintRequest& request,
                                const Executor& executor, Progress& progress);

}  // namespace fiducial
