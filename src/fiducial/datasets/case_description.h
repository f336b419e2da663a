#pragma once

#include "fiducial/datasets/case_statistics.h"
#include "fiducial/datasets/dataset_description.h"

namespace fiducial {

// Cases, images, modalities, timepoints and keys by split.
Result<DatasetDescription> describe_cases(const std::string& benchmark, const DiagnosisDataset& dataset);

}  // namespace fiducial
