#pragma once

#include "fiducial/base/json.h"
#include "fiducial/base/result.h"
#include "fiducial/datasets/lint_report.h"

namespace fiducial {

// A report for another process: what is parsed from it prints and counts as the one that was kept.
Json kept_report(const LintReport& report);
Result<LintReport> parse_kept_report(const Json& value);

// The same for one file.
Json kept_file(const SubmittedFile& file);
Result<SubmittedFile> parse_kept_file(const Json& value);

}  // namespace fiducial
