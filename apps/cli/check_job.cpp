#include "check_job.h"

#include <map>
#include <set>

#include "fiducial/base/json_fields.h"
#include "fiducial/datasets/kept_report.h"

namespace fiducial::cli {

namespace {

// The case of a check whose rules look at whole tables.
constexpr const char* all_of_it = "all of it";

// Cases of one name are one case: they are told apart by nothing that a unit could name.
Result<std::vector<CaseInput>> listed_cases(const CheckWith& check) {
  const auto listing = std::make_shared<CaseChecks>(CaseChecks::listing());
  FIDUCIAL_TRY_DONE(check(listing));
  std::vector<CaseInput> out;
  std::map<std::string, std::size_t> places;
  for (const CaseToCheck& each : listing->listed()) {
    const auto [place, is_new] = places.try_emplace(each.name, out.size());
    if (is_new) out.push_back({each.name, {}});
    for (const auto& [role, path] : each.files) out[place->second].files.push_back({role, path});
  }
  return out;
}

}  // namespace

Result<std::vector<CaseInput>> cases_to_check(const CheckWith& check, const std::vector<JobInput>& inputs) {
  FIDUCIAL_TRY(std::vector<CaseInput> out, listed_cases(check));
  if (out.empty()) out.push_back({all_of_it, inputs});
  return out;
}

PlannedWork check_work(const OpenJob& job, const CheckWith& check, const std::vector<JobInput>& inputs) {
  PlannedWork out;
  out.cases = cases_listed_once(job.plan, [check, inputs] { return cases_to_check(check, inputs); });
  out.work = [check, &plan = job.plan](std::int64_t unit, const Path&) -> Result<UnitResult> {
    const std::vector<std::string> names = names_of_unit(plan, unit);
    const auto part =
        std::make_shared<CaseChecks>(CaseChecks::part(std::set<std::string>(names.begin(), names.end())));
    FIDUCIAL_TRY(const LintReport report, check(part));
    if (plan.cases.size() == 1 && names.front() == all_of_it)
      return UnitResult{unit, Json::object({{"report", kept_report(report)}}), {}};
    return UnitResult{unit, Json::object({{"cases", part->kept()}}), {}};
  };
  return out;
}

Result<FoundByUnits> found_by_units(const OpenJob& job) {
  FoundByUnits out;
  std::vector<Json> kept;
  FIDUCIAL_TRY_DONE(job.folder.visit_results([&](const UnitResult& result) -> Outcome {
    if (const Json* report = result.value.find("report")) {
      FIDUCIAL_TRY(out.report, parse_kept_report(*report));
      return done();
    }
    FIDUCIAL_TRY(const Json* cases, required_field(result.value, "cases", "/value"));
    kept.push_back(*cases);
    return done();
  }));
  out.checks = std::make_shared<CaseChecks>(CaseChecks::known(kept));
  return out;
}

}  // namespace fiducial::cli
