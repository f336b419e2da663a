#pragma once

#include <string_view>

namespace fiducial {

// The style sheet of the report: light and dark by the reader's setting, and printable.
extern const std::string_view report_style;

}  // namespace fiducial
