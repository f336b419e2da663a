#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "fiducial/base/json.h"

namespace fiducial {

// A picture of a message, by the hash of its bytes; those lie elsewhere.
struct ChatImage {
  std::string sha256;
  std::string media_type;  // "image/png", by its first bytes

  friend bool operator==(const ChatImage&, const ChatImage&) = default;
};

// A part of a message: a text, or a picture.
struct ChatPart {
  std::string text;
  std::optional<ChatImage> image;

  friend bool operator==(const ChatPart&, const ChatPart&) = default;
};

struct ChatMessage {
  enum class Role { system, user, assistant };
  Role role = Role::user;
  std::vector<ChatPart> parts;

  friend bool operator==(const ChatMessage&, const ChatMessage&) = default;
};
std::string_view to_string(ChatMessage::Role role);

// What a model is asked, whoever serves it. Equal requests have equal hashes, so one paid reply serves them
// all.
struct ChatRequest {
  std::string model;
  // By our own names, which vendors translate: temperature, top_p, max_tokens, seed, effort, logprobs.
  // "extra" is an object that becomes part of the body as it is.
  Json parameters = Json::Object{};
  std::vector<ChatMessage> messages;
  Json schema;              // JSON Schema of the reply; null where any text will do
  std::int64_t sample = 0;  // which of several equal questions

  Json json() const;         // canonical: parameters by name
  std::string hash() const;  // SHA-256 of json() as compact text
  std::size_t image_count() const;
  std::size_t text_bytes() const;
};

// Gives the bytes of a picture by its hash.
using ImageBytes = std::function<Result<std::string>(const std::string& sha256)>;

}  // namespace fiducial
