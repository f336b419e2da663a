#pragma once

#include <span>
#include <string>

#include "fiducial/base/result.h"

namespace fiducial {

// Refuses names of cases that cannot be names of files in another program's folder: longer than most bytes,
// with other characters than letters, digits, ".", "_" and "-", or two that are the same, be it but for case.
// to names the program, for messages.
Outcome check_foreign_names(std::span<const std::string> names, std::size_t most, const std::string& to);

}  // namespace fiducial
