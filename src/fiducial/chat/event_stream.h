#pragma once

#include <string_view>

#include "fiducial/base/json.h"
#include "fiducial/base/result.h"

namespace fiducial {

// Whether a body is a stream of events ("data: {...}") and no document.
bool is_event_stream(std::string_view body);

// The document that an endpoint would have sent at once for what it streamed, in the words of chat
// completions, responses, Anthropic or Gemini. A stream that ends before its last event is an error; one that
// holds an error gives that, as {"error": ...}.
Result<Json> document_of_events(std::string_view body);

}  // namespace fiducial
