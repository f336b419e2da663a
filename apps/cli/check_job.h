#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "fiducial/datasets/case_checks.h"

#include "planned_verb.h"

namespace fiducial::cli {

// A verb that checks case by case, with what is known of single cases.
using CheckWith = std::function<Outcome(const std::shared_ptr<CaseChecks>& checks)>;

// The cases that a check comes to. Refuses a check without any: its rules look at whole tables.
Result<std::vector<CaseInput>> cases_to_check(const std::string& verb, const CheckWith& check);
// How the units of such a verb are worked on.
PlannedWork check_work(const OpenJob& job, const std::string& verb, const CheckWith& check);
// What all units found, for the check that concludes them.
Result<std::shared_ptr<CaseChecks>> checks_of_units(const OpenJob& job);

}  // namespace fiducial::cli
