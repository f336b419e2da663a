#pragma once

#include <string>

namespace fiducial {

// The version of the Arrow library that is running.
std::string arrow_version();

}  // namespace fiducial
