#pragma once

#include <string_view>
#include <vector>

#include "fiducial/base/result.h"
#include "fiducial/curate/engine/stage.h"

namespace fiducial {

// Every stage, in the order of all_stages.def.
const std::vector<Stage>& all_stages();
Result<const Stage*> find_stage(std::string_view name);

}  // namespace fiducial
