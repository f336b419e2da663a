#pragma once

#include <string>
#include <vector>

#include "fiducial/datasets/rexgroundingct/statistics.h"

#include "drawing.h"

namespace fiducial::cli {

// Statistics of a dataset as a table: one column a split, and one for all of them.
std::string statistics_text(const rexgroundingct::DatasetStatistics& statistics);

// categories.svg, findings_per_scan.svg, entities_per_finding.svg and sizes.svg. Bars are shares of a split,
// so that splits of different size can be compared.
std::vector<Drawing> statistics_drawings(const rexgroundingct::DatasetStatistics& statistics);

}  // namespace fiducial::cli
