#pragma once

#include <cstdint>
#include <string>

#include "fiducial/report/chart.h"

namespace fiducial::cli {

// A picture and the name of the file it goes to.
struct Drawing {
  std::string file;
  std::string svg;
};

// A bar in percent of a whole, with "what: count (percent)" as its words.
Bar share_bar(std::int64_t count, std::int64_t whole, const std::string& what);

}  // namespace fiducial::cli
