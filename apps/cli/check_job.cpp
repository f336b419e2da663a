#include "check_job.h"

#include <map>
#include <set>

#include "fiducial/base/json_fields.h"

namespace fiducial::cli {

namespace {

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

Result<std::vector<CaseInput>> cases_to_check(const std::string& verb, const CheckWith& check) {
  FIDUCIAL_TRY(std::vector<CaseInput> out, listed_cases(check));
  if (!out.empty()) return out;
  return bad_usage(
      "the rules of this layout look at whole tables, not at single cases: there is nothing to cut; "
      "'fiducial " +
      verb + "' does it at once");
}

PlannedWork check_work(const OpenJob& job, const std::string& verb, const CheckWith& check) {
  PlannedWork out;
  out.cases = cases_listed_once(job.plan, [verb, check] { return cases_to_check(verb, check); });
  out.work = [check, &plan = job.plan](std::int64_t unit, const Path&) -> Result<UnitResult> {
    const std::vector<std::string> names = names_of_unit(plan, unit);
    const auto part =
        std::make_shared<CaseChecks>(CaseChecks::part(std::set<std::string>(names.begin(), names.end())));
    FIDUCIAL_TRY_DONE(check(part));
    return UnitResult{unit, Json::object({{"cases", part->kept()}}), {}};
  };
  return out;
}

Result<std::shared_ptr<CaseChecks>> checks_of_units(const OpenJob& job) {
  std::vector<Json> kept;
  FIDUCIAL_TRY_DONE(job.folder.visit_results([&kept](const UnitResult& result) -> Outcome {
    FIDUCIAL_TRY(const Json* cases, required_field(result.value, "cases", "/value"));
    kept.push_back(*cases);
    return done();
  }));
  return std::make_shared<CaseChecks>(CaseChecks::known(kept));
}

}  // namespace fiducial::cli
