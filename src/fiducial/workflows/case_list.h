#pragma once

#include <set>
#include <string>

#include "fiducial/base/file.h"

namespace fiducial {

// Titles of cases, a line each. Refuses a file without any.
Result<std::set<std::string>> read_case_list(const Path& file);

}  // namespace fiducial
