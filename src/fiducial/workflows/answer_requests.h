#pragma once

#include "fiducial/workflows/ask_run.h"

namespace fiducial {

// Sends the requests that a stage of curation wrote (docs/formats/replies.md) to an endpoint. The journal of
// the run's folder is then what the stage takes with --replay. Refuses requests for another model than the
// one asked.
struct AnsweredRequests {
  std::int64_t requests = 0;
  std::int64_t answered = 0;
  std::int64_t failed = 0;
  std::optional<Error> stopped;
  Json manifest;
};
// With stage_input set the journal belongs to that stage and its input, whatever the requests of a round are.
Result<AnsweredRequests> answer_requests(const RunRequest& request, std::int64_t allowed_failures,
                                         AskWatcher& watcher);

// Policy: what the terms beside a table of reports say about leaving this machine (terms.json).
Outcome allow_stage_input(const RunRequest& request);

}  // namespace fiducial
