#pragma once

#include <string>
#include <vector>

#include "fiducial/base/file.h"
#include "fiducial/base/json.h"
#include "fiducial/base/result.h"

namespace fiducial {

// The scores of a system, as their folder's summary tells.
struct ScoredSystem {
  Path folder;
  std::string system;
  Json summary;
};

// Every score folder of a benchmark below a folder, by system, then folder. Refuses a folder without any, and
// summaries that cannot be read.
Result<std::vector<ScoredSystem>> find_scored_systems(const Path& folder, const std::string& benchmark);

}  // namespace fiducial
