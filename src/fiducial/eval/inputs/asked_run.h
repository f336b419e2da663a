#pragma once

#include "fiducial/base/json.h"

namespace fiducial {

// How a model was asked, by the manifest of its run (docs/formats/run.md): model, workflow, effort, images,
// cues, samples, tokens, cost, and parameters that the endpoint refused and that were left out.
Json asked_json(const Json& manifest);

}  // namespace fiducial
