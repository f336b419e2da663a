#pragma once

#include <string>

#include "fiducial/base/json.h"

namespace fiducial {

// A comparison as tables for a terminal: every value of every system; for two systems their differences, over
// all findings and by group; for more the ranking and every pair. Lines are at most `width` characters wide;
// 0: as wide as they are.
std::string comparison_table(const Json& comparison, std::size_t width = 0);

}  // namespace fiducial
