#pragma once

#include <string>

#include "console.h"

namespace fiducial::cli {

// Says where scores were written, which page to open and what to type next.
void say_score_outputs(const std::string& folder, Console& console);

}  // namespace fiducial::cli
