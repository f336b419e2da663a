#pragma once

#include "fiducial/datasets/lint_report.h"

namespace fiducial::shared_rules {

#define FIDUCIAL_LINT_RULE(code, severity, promise) \
  inline constexpr LintRule code{#code, Severity::severity, promise};
#include "fiducial/datasets/shared_rules.def"
#undef FIDUCIAL_LINT_RULE

}  // namespace fiducial::shared_rules
