#include "planned_verb.h"

#include <map>
#include <memory>
#include <system_error>

#include "fiducial/base/suggestion.h"

namespace fiducial::cli {

#define FIDUCIAL_PLANNED(name) PlannedVerb planned_##name();
#include "all_planned.def"
#undef FIDUCIAL_PLANNED

const std::vector<PlannedVerb>& all_planned_verbs() {
  static const std::vector<PlannedVerb> verbs{
#define FIDUCIAL_PLANNED(name) planned_##name(),
#include "all_planned.def"
#undef FIDUCIAL_PLANNED
  };
  return verbs;
}

Result<const PlannedVerb*> find_planned_verb(const std::string& name) {
  std::vector<std::string> known;
  for (const PlannedVerb& verb : all_planned_verbs()) {
    if (verb.name == name) return &verb;
    known.push_back(verb.name);
  }
  return no_such_name("verb of a plan", name, known);
}

std::string absolute_text(const std::string& path) {
  std::error_code ignored;
  if (path.empty() || !std::filesystem::exists(path, ignored)) return path;
  return std::filesystem::absolute(path).lexically_normal().string();
}

std::vector<std::string> names_of_unit(const JobPlan& plan, std::int64_t unit) {
  std::vector<std::string> out;
  for (const JobCase& each : plan.cases) {
    if (each.unit == unit) out.push_back(each.name);
  }
  return out;
}

std::function<Result<std::vector<CaseInput>>(std::int64_t unit)> cases_listed_once(
    const JobPlan& plan, std::function<Result<std::vector<CaseInput>>()> list) {
  const auto listed = std::make_shared<std::map<std::string, CaseInput>>();
  return [&plan, listed, list = std::move(list)](std::int64_t unit) -> Result<std::vector<CaseInput>> {
    if (listed->empty()) {
      FIDUCIAL_TRY(std::vector<CaseInput> all, list());
      for (CaseInput& each : all) {
        std::string name = each.name;
        listed->emplace(std::move(name), std::move(each));
      }
    }
    std::vector<CaseInput> out;
    for (const std::string& name : names_of_unit(plan, unit)) {
      const auto found = listed->find(name);
      if (found != listed->end()) out.push_back(found->second);
    }
    return out;
  };
}

}  // namespace fiducial::cli
