#pragma once

#include <string>

namespace fiducial::cli {

// What every exit status means, one per line, as --help shows it; without an end of line.
std::string exit_status_table();

}  // namespace fiducial::cli
