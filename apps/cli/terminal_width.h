#pragma once

#include <cstddef>

namespace fiducial::cli {

// How many characters a line of standard output has: what COLUMNS says, else the terminal; 0 where neither
// does, as in a file.
std::size_t terminal_width();

}  // namespace fiducial::cli
