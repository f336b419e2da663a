#pragma once

#include "fiducial/chat/asker.h"
#include "fiducial/chat/batch_language.h"

namespace fiducial {

// Calls to an endpoint of batches, one at a time.
class EndpointCalls {
 public:
  static Result<EndpointCalls> open(const AskSettings& settings);

  // What came back, whatever it is. Interrupted where somebody asks for a stop meanwhile.
  Result<HttpReply> once(const BatchCall& call);
  // A document: what passes is tried again. Only for calls that may be made twice.
  Result<std::string> again_and_again(const BatchCall& call);
  Outcome pause(std::chrono::milliseconds time) const;  // interrupted where somebody asks for a stop

 private:
  EndpointCalls(const AskSettings& settings, HttpClient client)
      : settings_(&settings), client_(std::move(client)) {}

  const AskSettings* settings_;
  HttpClient client_;
  std::uint64_t next_id_ = 0;
};

}  // namespace fiducial
