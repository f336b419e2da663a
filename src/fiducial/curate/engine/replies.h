#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>

#include "fiducial/base/file.h"
#include "fiducial/base/json.h"
#include "fiducial/base/result.h"

namespace fiducial {

// What a model is asked. Equal requests have equal hashes, and one reply serves them all.
struct ModelRequest {
  std::string prompt;  // id and version of the words around the case: "leakage/1"
  std::string system;
  std::string user;
  Json schema;  // JSON Schema of the reply
  std::string model;

  Json json() const;
  std::string hash() const;  // SHA-256 of json(), in hexadecimal
};

struct ModelReply {
  Json value;         // the object that was asked for, or whatever came instead
  std::string error;  // why there is none
  std::string key;    // what names it where it comes from; one reply has one
  std::int64_t prompt_tokens = 0;
  std::int64_t completion_tokens = 0;
};

// Where replies come from: a file now; an endpoint with a journal fits the same place.
class ReplySource {
 public:
  virtual ~ReplySource() = default;
  // Nothing where there is no reply yet. id names the item the request is about.
  virtual Result<std::optional<ModelReply>> reply_to(const ModelRequest& request, const std::string& id) = 0;
  virtual std::int64_t count() const = 0;
};

// Replies of a JSONL file: {"request": HASH, "reply": ...} or {"request": HASH, "error": "why"}; "item" with
// the id of an item may stand for "request" where a judge worked from a list of its own.
class ReplayFile final : public ReplySource {
 public:
  // Failures among its first bytes do not count, as if they had not been tried yet.
  static Result<ReplayFile> read(const Path& path, std::uint64_t forgiven_bytes = 0);
  Result<std::optional<ModelReply>> reply_to(const ModelRequest& request, const std::string& id) override;
  std::int64_t count() const override {
    return static_cast<std::int64_t>(by_request_.size() + by_item_.size());
  }

 private:
  std::map<std::string, ModelReply> by_request_;
  std::map<std::string, ModelReply> by_item_;
};

}  // namespace fiducial
