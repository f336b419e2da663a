#pragma once

#include "fiducial/chat/chat_request.h"

namespace fiducial {

// A question with a system text and one picture, for tests.
inline ChatRequest example_request() {
  ChatRequest out{.model = "m-1", .parameters = Json::object({{"temperature", 0.5}, {"max_tokens", 64}})};
  out.messages.push_back({.role = ChatMessage::Role::system, .parts = {{.text = "Be brief.", .image = {}}}});
  out.messages.push_back({.role = ChatMessage::Role::user,
                          .parts = {{.text = "What is \"this\"?", .image = {}},
                                    {.text = {}, .image = ChatImage{std::string(64, 'a'), "image/png"}}}});
  return out;
}

inline Result<std::string> example_bytes(const std::string&) { return std::string("\x01\x02\x03\x04"); }

}  // namespace fiducial
