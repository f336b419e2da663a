#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "fiducial/base/executor.h"
#include "fiducial/base/file.h"
#include "fiducial/base/json.h"
#include "fiducial/base/progress.h"
#include "fiducial/base/result.h"
#include "fiducial/synth/demo_case.h"

namespace fiducial {

struct DemoOptions {
  std::uint64_t seed = 1;
  DemoSize size;
  bool overwrite = false;
};

// What was written.
struct DemoFacts {
  std::uint64_t seed = 0;
  int train = 0;
  int val = 0;
  int test = 0;
  std::int64_t findings = 0;
  std::int64_t entities = 0;
  std::vector<std::string> systems;
  std::vector<std::string> readers;  // of the teaching cases

  Json json() const;  // schema fiducial.demo/1: also says what is where
};

// The file that marks a folder as a demo corpus.
inline constexpr const char* demo_marker = "demo.json";

// Writes a synthetic corpus: a dataset in the ReXGroundingCT layout with three systems' predictions for its
// val and test splits, and one in the MedThinkVQA layout, a teaching case a finding, with three readers'
// answers. The folder appears all at once. Voxels and text depend on seed and size only, not on the machine
// or the number of threads.
Result<DemoFacts> write_demo(const Path& folder, const DemoOptions& options, const Executor& executor,
                             Progress& progress);

}  // namespace fiducial
