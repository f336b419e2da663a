#pragma once

#include <optional>
#include <string>
#include <vector>

#include "fiducial/base/json.h"
#include "fiducial/base/result.h"

namespace fiducial {

// What a batch is made of, before a vendor puts it into words.
struct BatchSubmission {
  struct Item {
    std::string id;    // hash of the request
    std::string body;  // as the vendor would be sent it alone
  };
  std::string token;  // of ours, by which the batch is known again
  std::string path;   // of a single request, behind the base
  std::string model;
  std::vector<Item> items;
};

// A call to an endpoint of batches; the path is behind the base of the URL.
struct BatchCall {
  bool is_get = false;
  std::string path;
  std::string content_type = "application/json";
  std::string body = {};
};

struct BatchStatus {
  enum class Phase { running, ended, failed };
  Phase phase = Phase::running;
  std::string problem = {};             // of a batch that failed as a whole
  std::vector<BatchCall> results = {};  // that give what came of it
};

// What came of one request: what its endpoint would have answered, or why there is nothing (status 0).
struct BatchResult {
  std::string id;
  int status = 0;
  std::string body = {};
  std::string problem = {};
};

// How a vendor speaks of batches: one file in batches/. Functions that read take what the endpoint wrote and
// refuse what they do not know.
struct BatchLanguage {
  std::size_t most_bytes = 0;
  std::size_t most_requests = 0;
  // Whether the requests go ahead as a file of their own; that alone starts and costs nothing.
  std::optional<BatchCall> (*upload)(const BatchSubmission& submission);
  BatchCall (*create)(const BatchSubmission& submission, const std::string& file_id);
  Result<std::string> (*id)(const Json& document);  // of a file or of a batch
  BatchCall (*ask)(const std::string& id);
  Result<BatchStatus> (*status)(const std::string& id, const Json& document);
  Result<std::vector<BatchResult>> (*results)(std::string_view text);
  BatchCall (*list)();  // the latest batches of the account
  // Of a list: the batches that may be the one of a token, with so many requests, made since a time (UTC).
  struct Wanted {
    std::string token;
    std::string since;
    std::size_t requests = 0;
  };
  std::vector<std::string> (*find)(const Json& listing, const Wanted& wanted);
};

// An id as it may stand in a path: letters, digits and "_-/.", no "..".
Result<std::string> safe_batch_id(const std::string& id);
// The objects of a text with one a line.
Result<std::vector<Json>> objects_by_line(std::string_view text);

const BatchLanguage& openai_batches();
const BatchLanguage& anthropic_batches();
const BatchLanguage& gemini_batches();

}  // namespace fiducial
