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
Result<AnsweredRequests> answer_requests(const RunRequest& request, std::int64_t allowed_failures,
                                         AskWatcher& watcher);

}  // namespace fiducial
