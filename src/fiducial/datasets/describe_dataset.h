#pragma once

#include "fiducial/base/executor.h"
#include "fiducial/base/progress.h"
#include "fiducial/datasets/dataset_adapter.h"
#include "fiducial/datasets/dataset_description.h"

namespace fiducial {

// Describes a folder as its layout does; a layout that has no description of its own is described by what can
// be read of any: cases, findings and masks, questions and images, or rows of tables.
Result<DatasetDescription> describe_dataset(const DescribeRequest& request, const Executor& executor,
                                            Progress& progress);

}  // namespace fiducial
