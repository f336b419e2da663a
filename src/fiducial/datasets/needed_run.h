#pragma once

#include <optional>
#include <set>
#include <string>

#include "fiducial/base/file.h"
#include "fiducial/base/result.h"

namespace fiducial {

// What a run takes of a dataset.
struct NeededRun {
  std::optional<std::string> split;            // where the run says it
  std::optional<std::set<std::string>> cases;  // names or titles; all where it does not say them
  bool needs_volumes = true;

  bool needs_case(const std::string& name) const { return !cases || cases->contains(name); }
};

// Reads it from a score folder, from a folder or flat zip of masks, or from a JSONL file of answers.
Result<NeededRun> read_needed_run(const Path& run);

}  // namespace fiducial
