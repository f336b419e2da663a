#pragma once

#include "fiducial/base/file.h"
#include "fiducial/base/json.h"
#include "fiducial/base/result.h"

namespace fiducial {

// How a model was asked, where predictions are the folder of a run (docs/formats/run.md): model, workflow,
// effort, images, cues, samples, tokens, cost, and parameters that the endpoint refused and that were left
// out. Null for other predictions.
Result<Json> asked_of_run(const Path& predictions);

}  // namespace fiducial
