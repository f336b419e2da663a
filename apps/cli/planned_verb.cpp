#include "planned_verb.h"

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
  return bad_usage(unknown_name("verb of a plan", name, known));
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

}  // namespace fiducial::cli
