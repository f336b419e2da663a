#pragma once

#include <string>

namespace fiducial::cli {

// What every exit status means, one a line, as --help shows it.
std::string exit_status_table();

}  // namespace fiducial::cli
