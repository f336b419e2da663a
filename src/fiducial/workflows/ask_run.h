#pragma once

#include "fiducial/workflows/run_outputs.h"

namespace fiducial {

// What a run would ask, without asking it.
struct RunEstimate {
  std::int64_t cases = 0;
  std::int64_t questions = 0;  // of all steps, where every reply has the form that is asked for
  std::int64_t known = 0;      // of these, in the journal
  std::int64_t unaskable = 0;  // cases that cannot be asked about
  std::string why_not;         // of the first of them
  std::int64_t images = 0;
  std::int64_t prompt_tokens = 0;
  std::int64_t completion_tokens = 0;  // at most
  std::optional<double> most_cost;
  std::string currency;
};
Result<RunEstimate> estimate_run(const PreparedRun& run);

// Asks all that the journal of the run's folder does not answer, and writes the outputs. The run holds its
// folder alone. An error of Asker comes back as `stopped` of the summary's run, after what there is was
// written.
struct AskedRun {
  RunSummary summary;
  std::optional<Error> stopped;
  std::string other_plan;  // how the run of a replayed journal differs, where replies are missing
  AskState state;
};
Result<AskedRun> ask_run(const PreparedRun& run, std::int64_t allowed_failures, AskWatcher& watcher);

// What `fiducial status` tells of a run's folder, from its journal and, once it ended, its manifest.
Result<Json> run_status(const Path& folder);

}  // namespace fiducial
