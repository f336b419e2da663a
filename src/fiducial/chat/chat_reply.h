#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "fiducial/base/json.h"

namespace fiducial {

// A count of tokens as an endpoint or a journal tells it; 0 where it is none that can be.
std::int64_t token_count(const Json& object, std::string_view name);

// Tokens of a call as the endpoint counts them. cached is part of prompt, reasoning of completion.
struct TokenUsage {
  std::int64_t prompt = 0;
  std::int64_t cached = 0;
  std::int64_t completion = 0;
  std::int64_t reasoning = 0;

  bool is_known() const { return prompt > 0 || completion > 0; }
  TokenUsage& operator+=(const TokenUsage& other);
  Json json() const;
  static TokenUsage parse(const Json& object);  // of json(), or of the "tokens" of a replies file
  friend bool operator==(const TokenUsage&, const TokenUsage&) = default;
};

// Why a reply ended. Words of vendors become ours: "stop", "length" (cut at the token limit), "filter"
// (withheld by the endpoint), "refusal"; any other stays what it was.
inline constexpr const char* finished = "stop";
inline constexpr const char* cut_off = "length";
inline constexpr const char* withheld = "filter";

// What came back.
struct ChatReply {
  std::string text;
  std::string finish;
  TokenUsage usage;
  std::string model;  // as the endpoint names what answered
  Json logprobs;  // tokens of the answer with their probabilities; null where none were asked for or given
};

}  // namespace fiducial
