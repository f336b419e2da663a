#pragma once

#include "fiducial/http/reply.h"

#include "asked.h"
#include "vendor_reply.h"

namespace fiducial::ask_test {

// What a step of the script makes of an answer. The kinds of "do":
//
//   reply           the answer; "text", "reasoning", "finish" (stop, length, content_filter), "usage": false,
//                   "null_text": true, "fenced": true and "unclosed_think": true change it
//   status          "status" with the vendor's error; "retry_after" in seconds, "retry_after_date" as a date
//   that
//                   many seconds ahead; "html": true for a proxy's page
//   refusal         the model declines
//   malformed       a body that is no JSON             invalid_utf8    bytes in the text that are no UTF-8
//   reset           half of the body, then a reset     hang            nothing, ever
//   stall           half of the body, then silence     drip            byte by byte, "every_ms" between
//   wrong_length    Content-Length is off by "by"      huge            a text of "bytes" letters
//   bad_parameter   400 that names "parameter" as long as the body holds it
//   unknown_model   404                                quota           429 that no waiting ends
//   context_length  400: too many tokens               bad_key         401
//   bytes           those of "hex", and the end        torn_stream     half of the events, and the end
http::Reply reply_for(const Json& step, const Asked& asked, const Json& body, Answer answer,
                      std::uint64_t number);

}  // namespace fiducial::ask_test
