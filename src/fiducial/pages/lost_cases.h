#pragma once

#include "fiducial/pages/page_frame.h"
#include "fiducial/pages/run_page.h"

namespace fiducial {

// Cases that were not answered right, with their images and what the model said: first those without an
// answer, then wrong ones with false critical steps, then the others in the order of the split.
Result<PageSection> lost_section(const RunPage& page);

}  // namespace fiducial
