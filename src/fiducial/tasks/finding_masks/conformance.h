#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "fiducial/base/executor.h"
#include "fiducial/base/file.h"
#include "fiducial/base/json.h"
#include "fiducial/base/progress.h"
#include "fiducial/tasks/finding_masks/conformance_differences.h"

namespace fiducial {

// Whose copy of the published scorer to hold our official mode against, and on what.
struct ConformRequest {
  Path script;
  std::string python = "python3";
  int seeds = 3;                    // seeded adversarial datasets
  std::optional<Path> dataset;      // the user's own data, beside them
  std::optional<Path> predictions;  // a folder
  std::optional<std::string> split;
  int timeout_s = 600;  // of one run of the script
};

// One run of the script beside ours.
struct ConformanceRun {
  std::string data;     // "seed 1", or "data" for the user's own
  std::string options;  // the script's, e.g. "--min_size 3 --cc_connectivity 1"
  ScorerComparison comparison;
};

struct Conformance {
  std::string script_name;
  std::string script_sha256;
  int seeds = 0;
  std::optional<std::string> dataset_sha256;  // of the user's own data
  std::vector<ConformanceRun> runs;

  std::int64_t difference_count() const;
  // The record (schema fiducial.conformance/1), with at most 1,000 of the differences.
  Json json() const;
};

// Runs the script, each time in a process of its own with a time limit, and our official mode on the same
// data. A script that cannot be run, fails, takes too long or writes no file of the published form is an
// error with the last of what it printed.
Result<Conformance> conform(const ConformRequest& request, const Executor& executor, Progress& progress);

}  // namespace fiducial
