#pragma once

#include <string>

namespace fiducial::cli {

// A word of a command that a shell takes as one.
std::string shell_word(const std::string& text);

}  // namespace fiducial::cli
