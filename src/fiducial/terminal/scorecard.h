#pragma once

#include <string>

#include "fiducial/base/json.h"

namespace fiducial {

// A summary as a table for a terminal: every headline value with its interval and what its n counts, both
// scorers side by side; below it which way is better, why values are not there, and what was missing, failed
// or turned around. Lines are at most `width` characters wide; 0: as wide as they are.
std::string scorecard(const Json& summary, std::size_t width = 0);

}  // namespace fiducial
