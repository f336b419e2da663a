#include "fiducial/curate/all_stages.h"

#include "fiducial/base/suggestion.h"

namespace fiducial {

#define FIDUCIAL_STAGE(name) Stage name##_stage();
#include "fiducial/curate/all_stages.def"
#undef FIDUCIAL_STAGE

const std::vector<Stage>& all_stages() {
  static const std::vector<Stage> stages{
#define FIDUCIAL_STAGE(name) name##_stage(),
#include "fiducial/curate/all_stages.def"
#undef FIDUCIAL_STAGE
  };
  return stages;
}

Result<const Stage*> find_stage(std::string_view name) {
  std::vector<std::string> known;
  for (const Stage& stage : all_stages()) {
    if (stage.name == name) return &stage;
    known.push_back(stage.name);
  }
  return no_such_name("stage", name, known);
}

}  // namespace fiducial
