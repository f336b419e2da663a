#pragma once

#include <optional>
#include <string>

#include "fiducial/base/file.h"
#include "fiducial/chat/chat_reply.h"
#include "fiducial/chat/chat_request.h"

namespace fiducial {

// What a model costs, per million tokens, in the currency of the file it stands in.
struct Price {
  double input = 0;
  double cached = 0;  // of input that the endpoint had kept
  double output = 0;
  double batch = 0.5;                // share of the price that tokens of batches cost
  std::int64_t image_tokens = 1600;  // that a picture is estimated at
  std::string currency = "USD";

  double of(const TokenUsage& usage) const;
  // Of usage of which a part came with batches.
  double of(const TokenUsage& usage, const TokenUsage& with_batches) const {
    return of(usage) - (1 - batch) * of(with_batches);
  }
};

// The price of a model in {"currency": "USD", "models": {NAME: {"input", "cached", "output",
// "batch", "image_tokens"}}}; a model that is not in it is an error that lists those that are.
Result<Price> read_price(const Path& file, const std::string& model);

// Tokens that a request may take: its text at three bytes a token, its pictures, and the largest completion.
struct TokenEstimate {
  std::int64_t prompt = 0;
  std::int64_t completion = 0;

  std::int64_t all() const { return prompt + completion; }
  TokenUsage usage() const { return {.prompt = prompt, .completion = completion}; }
};
TokenEstimate estimated_tokens(const ChatRequest& request, std::int64_t image_tokens);

}  // namespace fiducial
