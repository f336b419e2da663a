#pragma once

#include <string>
#include <vector>

#include "fiducial/base/file.h"
#include "fiducial/base/json.h"
#include "fiducial/base/result.h"

namespace fiducial {

// The manifest of a model's run (docs/formats/run.md), where predictions are the folder of one; else null.
// Refuses a run that has not ended.
Result<Json> manifest_of_run(const Path& predictions);

// What a run's manifest says that changes what its scores mean.
std::vector<std::string> notes_of_run(const Json& manifest);

}  // namespace fiducial
