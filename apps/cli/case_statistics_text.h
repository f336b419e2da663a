#pragma once

#include <string>
#include <vector>

#include "fiducial/datasets/diagnostic_statistics.h"

#include "drawing.h"

namespace fiducial::cli {

// The statistics as a table, one column a split.
std::string case_statistics_text(const DatasetDescription& description);

// scale.svg, image_density.svg, modality_breadth.svg and longitudinal.svg. Bars are shares of a split, so
// that splits of different size can be compared; those of the scale are counts.
std::vector<Drawing> case_statistics_drawings(const DatasetDescription& description);

}  // namespace fiducial::cli
