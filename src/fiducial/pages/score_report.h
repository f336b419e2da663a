#pragma once

#include <optional>
#include <string>

#include "fiducial/base/executor.h"
#include "fiducial/base/json.h"
#include "fiducial/eval/score.h"

namespace fiducial {

// Where the pictures of a report come from.
struct ReportInputs {
  Path dataset;
  Path predictions;
  std::optional<Path> volumes;
};

// A finished run and what it was made from.
struct ReportedRun {
  const ScoredRun& run;
  ReportInputs inputs;
  bool is_private = false;
};

// The page report.html of a run; summary is the one that is written beside it.
Result<std::string> score_report(const ReportedRun& reported, const Json& summary, const Executor& executor);

// The output with report.html among its files. The run must outlive it.
ScoreOutput with_report(ScoreOutput output, const ReportedRun& reported, int threads);

}  // namespace fiducial
