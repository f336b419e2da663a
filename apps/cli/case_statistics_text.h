#pragma once

#include <string>

#include "fiducial/datasets/diagnostic_statistics.h"

namespace fiducial::cli {

// The statistics as a table, one column a split.
std::string case_statistics_text(const DatasetDescription& description);

}  // namespace fiducial::cli
