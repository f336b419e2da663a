#pragma once

#include <optional>

#include "fiducial/base/json.h"
#include "fiducial/cases/grounded_case.h"
#include "fiducial/datasets/lint_report.h"

namespace fiducial::rexgroundingct {

struct LintedCase {
  std::optional<GroundedCase> entry;  // if scoring would accept it; otherwise there is at least one error
  LintProblems problems;
};

// Checks one entry of a dataset file, at where.
LintedCase lint_entry(const Json& entry, const LintPlace& where);

// Whether a name is <tag>_<patient>_<scan>_<reconstruction>.nii.gz, e.g. "train_12_a_1.nii.gz".
bool follows_name_pattern(std::string_view name);

}  // namespace fiducial::rexgroundingct
