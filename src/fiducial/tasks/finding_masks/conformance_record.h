#pragma once

#include <string>

#include "fiducial/base/file.h"
#include "fiducial/base/result.h"

namespace fiducial {

// The SHA-256 of the script that a record of 'fiducial conform' confirms our official mode against. Refuses a
// record that found differences, and one that another version of this tool made.
Result<std::string> confirmed_script(const Path& record);

}  // namespace fiducial
