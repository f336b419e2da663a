#pragma once

#include <string>

#include "fiducial/base/json.h"

namespace fiducial {

// A summary as a table for a terminal: every headline value with its interval and count, both scorers side by
// side, and below it what was missing, failed or turned around.
std::string scorecard(const Json& summary);

}  // namespace fiducial
