#pragma once

#include <string_view>

#include "fiducial/datasets/lint_report.h"

namespace fiducial {

// Notes what in a text may tell who a patient is (text/identifier_hints.h), by a rule of the dataset's.
void add_identifier_hints(std::string_view text, const LintRule& rule, const LintPlace& place,
                          LintProblems& out);

}  // namespace fiducial
