#pragma once

#include <string>

#include "fiducial/base/executor.h"
#include "fiducial/base/json.h"
#include "fiducial/eval/score.h"

namespace fiducial::cli {

// A finished run and what was asked for.
struct ReportedRun {
  const ScoredRun& run;
  const ScoreRequest& request;
  bool is_private = false;
};

// The page report.html of a run; summary is the one that is written beside it.
Result<std::string> score_report(const ReportedRun& reported, const Json& summary, const Executor& executor);

}  // namespace fiducial::cli
