#pragma once

#include "fiducial/datasets/lint_report.h"

namespace fiducial::rexgroundingct::lint_rules {

#define FIDUCIAL_LINT_RULE(code, severity, promise) \
  inline constexpr LintRule code{#code, Severity::severity, promise};
#include "fiducial/datasets/rexgroundingct/lint_rules.def"
#undef FIDUCIAL_LINT_RULE

}  // namespace fiducial::rexgroundingct::lint_rules
