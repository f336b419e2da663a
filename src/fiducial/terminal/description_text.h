#pragma once

#include <string>

#include "fiducial/datasets/dataset_description.h"

namespace fiducial {

// A description for a terminal: a table with a column a split, then its lines, each at most `width`
// characters wide; 0: as wide as they are.
std::string description_text(const DatasetDescription& description, std::size_t width = 0);

}  // namespace fiducial
