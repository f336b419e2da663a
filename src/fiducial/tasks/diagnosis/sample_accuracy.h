#pragma once

#include <vector>

#include "fiducial/base/file.h"
#include "fiducial/base/json.h"
#include "fiducial/base/result.h"
#include "fiducial/cases/diagnosis_case.h"

namespace fiducial {

// Of the folder of a run that asked several times: the strict accuracy of each sample over all these cases,
// their mean and standard deviation. Null where there are no samples.
Result<Json> sample_accuracy(const Path& predictions, const std::vector<DiagnosisCase>& cases);

}  // namespace fiducial
