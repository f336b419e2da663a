#pragma once

#include <optional>
#include <string>
#include <vector>

#include "fiducial/base/executor.h"
#include "fiducial/base/file.h"
#include "fiducial/eval/outputs/write_scores.h"

namespace fiducial {

// What a page is made of. Nothing in it depends on time, machine or where folders lie.
struct RunPage {
  const ScoreRun& run;  // as much of it as may be told
  const Json& summary;
  Path dataset;  // texts and pictures are read from here again
  Path predictions;
  std::optional<Path> volumes;
  int threads = 0;

  bool is_private() const { return run.min_group.has_value(); }
};

// The page report.html of a run: one file that needs nothing else.
Result<std::string> run_page(const RunPage& page);

// Where the data of a run lie.
struct PageSources {
  Path dataset;
  Path predictions;
  std::optional<Path> volumes;
  int threads = 0;
};

// The output with report.html among its files.
ScoreOutput with_page(ScoreOutput output, const PageSources& sources);

}  // namespace fiducial
