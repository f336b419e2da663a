#pragma once

#include <string>

namespace fiducial::cli {

// A picture and the name of the file it goes to.
struct Drawing {
  std::string file;
  std::string svg;
};

}  // namespace fiducial::cli
