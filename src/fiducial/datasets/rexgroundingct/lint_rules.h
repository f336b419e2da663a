#pragma once

#include "fiducial/datasets/shared_rules.h"

namespace fiducial::rexgroundingct::lint_rules {

#define FIDUCIAL_LINT_RULE(code, severity, promise) \
  inline constexpr LintRule code{#code, Severity::severity, promise};
#include "fiducial/datasets/rexgroundingct/lint_rules.def"
#undef FIDUCIAL_LINT_RULE

using shared_rules::finding_text_empty;
using shared_rules::mask_channels;
using shared_rules::mask_missing;
using shared_rules::mask_unreadable;
using shared_rules::name_duplicate;
using shared_rules::name_in_two_splits;
using shared_rules::patients_shared;
using shared_rules::split_empty;
using shared_rules::text_identifier;

}  // namespace fiducial::rexgroundingct::lint_rules
