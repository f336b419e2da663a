#pragma once

#include <string>
#include <vector>

#include "fiducial/datasets/dataset_description.h"

namespace fiducial {

// A picture and the name of the file it goes to.
struct Drawing {
  std::string file;
  std::string svg;
};

// One drawing a distribution. Bars are shares of a series, so that splits of different size can be compared,
// or counts where the distribution says so.
std::vector<Drawing> description_drawings(const DatasetDescription& description);

}  // namespace fiducial
