#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "fiducial/datasets/case_checks.h"

#include "planned_verb.h"

namespace fiducial::cli {

// A verb that checks case by case, with what is known of single cases.
using CheckWith = std::function<Result<LintReport>(const std::shared_ptr<CaseChecks>& checks)>;

// The cases that a check comes to. One whose rules look at whole tables comes to a single one, which is all
// of its inputs.
Result<std::vector<CaseInput>> cases_to_check(const CheckWith& check, const std::vector<JobInput>& inputs);
// How the units of such a verb are worked on.
PlannedWork check_work(const OpenJob& job, const CheckWith& check, const std::vector<JobInput>& inputs);

// What all units found, for the check that concludes them.
struct FoundByUnits {
  std::shared_ptr<CaseChecks> checks;
  std::optional<LintReport> report;  // of a unit that was all of it
};
Result<FoundByUnits> found_by_units(const OpenJob& job);

}  // namespace fiducial::cli
