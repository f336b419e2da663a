#pragma once

#include <string>

#include "fiducial/datasets/dataset_description.h"

namespace fiducial {

// A description for a terminal: a table with a column a split, then its lines.
std::string description_text(const DatasetDescription& description);

}  // namespace fiducial
