#pragma once

#include "fiducial/pages/run_page.h"

namespace fiducial {

// Findings with pictures, worst and best; cases that were not answered right.
Result<std::string> finding_masks_page(const RunPage& page);
Result<std::string> diagnosis_page(const RunPage& page);

}  // namespace fiducial
