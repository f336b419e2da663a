#pragma once

#include <string>

#include "fiducial/base/executor.h"
#include "fiducial/pages/page_input.h"

namespace fiducial {

// A score folder as one HTML page that needs nothing else: no script, no network, light and dark.
//
// The pictures are read from the source again, for the worst and best findings only. A private page has none,
// and nothing about single cases. The bytes depend on the input alone.
std::string report_page(const ReportInput& input, const PictureSource& source, const Executor& executor);

}  // namespace fiducial
