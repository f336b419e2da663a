#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "fiducial/base/json.h"

namespace fiducial::ask_test {

// Whose words a request is in.
enum class Vendor { openai_chat, openai_responses, anthropic, gemini };

std::string_view to_string(Vendor vendor);

// What a request asks, whoever's words it is in.
struct Asked {
  Vendor vendor = Vendor::openai_chat;
  std::string model;
  std::string text;                 // all texts in their order, with line ends between
  std::vector<std::string> images;  // SHA-256 of each picture's bytes, in hex, in their order
  std::string effort;               // as it was sent; empty where none was
  Json schema;                      // of structured output; null where none is asked for
  bool streams = false;
  bool streams_usage = false;  // wants the tokens at the end of the stream
};

// Reads a body strictly: what the vendor's server would refuse is an error. gemini_model is the one of the
// path.
Result<Asked> parse_asked(Vendor vendor, const Json& body, std::string_view gemini_model);

}  // namespace fiducial::ask_test
