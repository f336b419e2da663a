#pragma once

#include "fiducial/datasets/dataset_description.h"
#include "fiducial/datasets/radgenome/statistics.h"

namespace fiducial::radgenome {

// Rows, volumes, patients, answers and regions of every table.
Result<DatasetDescription> describe_tables(const std::string& benchmark, const TableFolder& folder);

}  // namespace fiducial::radgenome
