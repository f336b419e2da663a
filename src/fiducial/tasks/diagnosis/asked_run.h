#pragma once

#include "fiducial/base/file.h"
#include "fiducial/base/json.h"
#include "fiducial/base/result.h"
#include "fiducial/cases/diagnosis_case.h"

namespace fiducial {

// How a model was asked, where predictions are the folder of a run (docs/formats/run.md): model, workflow,
// effort, images, cues, samples, tokens, cost, and parameters that the endpoint refused and that were left
// out. Null for other predictions.
Result<Json> asked_of_run(const Path& predictions);

// Of the folder of a run that asked several times: the strict accuracy of each sample over all these cases,
// their mean and standard deviation. Null where there are no samples.
Result<Json> sample_accuracy(const Path& predictions, const std::vector<DiagnosisCase>& cases);

}  // namespace fiducial
