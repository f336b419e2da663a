#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "fiducial/base/file.h"
#include "fiducial/base/json.h"

namespace fiducial::medthinkvqa {

// What tells whether a folder is the published release: the hash of its train.jsonl and the number of its
// cases.
struct ReleasePin {
  Json json;
  std::string text;  // a line, where something can be said for sure; else empty
};

ReleasePin release_pin(const Path& folder,
                       const std::vector<std::pair<std::string, std::int64_t>>& cases_by_split);

}  // namespace fiducial::medthinkvqa
