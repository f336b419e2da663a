#include "opened_job.h"

#include <map>

#include "fiducial/base/json_fields.h"
#include "fiducial/base/number_text.h"

namespace fiducial::cli {

Result<std::unique_ptr<OpenedJob>> OpenedJob::open(const Path& folder, int threads, Console& console) {
  FIDUCIAL_TRY(JobPlan plan, read_job_plan(folder));
  FIDUCIAL_TRY(const PlannedVerb* verb, find_planned_verb(plan.verb));
  return std::unique_ptr<OpenedJob>(new OpenedJob(folder, std::move(plan), *verb, threads, console));
}

Outcome OpenedJob::check_inputs() const {
  std::vector<JobInput> inputs;
  for (const Json& each : *plan_.inputs.as_array())
    inputs.push_back({text_at(each, "role"), text_at(each, "path")});
  FIDUCIAL_TRY(const Json found, state_of_inputs(inputs));
  return fiducial::check_inputs(plan_.inputs, found);
}

Outcome OpenedJob::check_cases(std::int64_t unit, const std::vector<CaseInput>& found) const {
  std::map<std::string, const CaseInput*> by_name;
  for (const CaseInput& each : found) by_name.emplace(each.name, &each);
  for (const JobCase& each : plan_.cases) {
    if (each.unit != unit) continue;
    const auto now = by_name.find(each.name);
    if (now != by_name.end() && state_of_case(*now->second).digest == each.state) continue;
    return Error(ErrorCode::integrity,
                 "a file of case \"" + each.name + "\" changed since the job was planned; plan it again",
                 Place{.path = folder_.path().string()});
  }
  return done();
}

}  // namespace fiducial::cli
