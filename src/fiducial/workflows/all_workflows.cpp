#include <algorithm>

#include "fiducial/base/suggestion.h"
#include "fiducial/workflows/workflow.h"

namespace fiducial {

#define FIDUCIAL_WORKFLOW(name) Workflow name##_workflow();
#include "fiducial/workflows/all_workflows.def"
#undef FIDUCIAL_WORKFLOW

const std::vector<Workflow>& all_workflows() {
  static const std::vector<Workflow> workflows = {
#define FIDUCIAL_WORKFLOW(name) name##_workflow(),
#include "fiducial/workflows/all_workflows.def"
#undef FIDUCIAL_WORKFLOW
  };
  return workflows;
}

Result<const Workflow*> find_workflow(std::string_view name) {
  const auto& all = all_workflows();
  const auto found =
      std::find_if(all.begin(), all.end(), [name](const Workflow& each) { return each.name == name; });
  if (found != all.end()) return &*found;
  std::vector<std::string> known;
  known.reserve(all.size());
  for (const Workflow& each : all) known.push_back(each.name);
  return no_such_name("workflow", name, known);
}

}  // namespace fiducial
