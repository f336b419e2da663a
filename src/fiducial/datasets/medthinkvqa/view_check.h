#pragma once

#include "fiducial/base/file.h"
#include "fiducial/datasets/lint_report.h"

namespace fiducial::medthinkvqa {

// Holds a JSONL file of what a model is shown against rule S14: a record a line, with no field that tells
// more than history, options and images.
LintProblems check_view(const Path& path, std::size_t longest_line);

}  // namespace fiducial::medthinkvqa
