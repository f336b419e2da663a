#pragma once

#include <optional>
#include <string>

#include "asked.h"

namespace fiducial::ask_test {

// What a model answers, before a vendor puts it into words.
struct Answer {
  enum class End { stop, length, filtered, refused };
  std::optional<std::string> text;  // nothing: null, as some servers send beside reasoning
  std::string reasoning;            // empty: none is shown
  End end = End::stop;
  bool has_usage = true;
  std::int64_t prompt_tokens = 0;
  std::int64_t completion_tokens = 0;
  std::int64_t reasoning_tokens = 0;
};

// The body of a reply with status 200.
Json reply_body(const Asked& asked, const Answer& answer, std::uint64_t number);

// The events of the same answer as a stream of OpenAI's chat completions; the text in pieces of a few
// letters.
std::string stream_body(const Asked& asked, const Answer& answer, std::uint64_t number);

// What goes wrong, as vendors name it.
struct Complaint {
  int status = 400;
  std::string message;
  std::string type = "invalid_request_error";
  std::string code;       // OpenAI's
  std::string parameter;  // OpenAI's
};
Json error_body(Vendor vendor, const Complaint& complaint);

}  // namespace fiducial::ask_test
