#pragma once

#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "fiducial/base/file.h"
#include "fiducial/base/json.h"

namespace fiducial::ask_test {

// What is done with requests, told by a JSON file:
//
//   {"latency_ms": 0,
//    "default": {"do": "reply", "text": "..."},
//    "rules": [{"index": 3, "do": "status", "status": 429, "retry_after": 1},
//              {"every": 5, "times": 3, "do": "reset"},
//              {"contains": "case 7", "times": 2, "do": "malformed"}]}
//
// The first rule that fits is taken: "index" counts requests from 0, "every" fits each n-th one, "contains"
// looks for words in the request's texts, "path" in its path; "times" is how often a rule may be taken
// (with "each": true, how often by each different body). A step without a rule is the
// default, a plain reply.
class FaultScript {
 public:
  static Result<FaultScript> parse(const Json& json);
  static Result<FaultScript> read(const Path& path);
  FaultScript() = default;
  FaultScript(FaultScript&& other) noexcept
      : rules_(std::move(other.rules_)), standard_(std::move(other.standard_)) {
    latency_ms_ = other.latency_ms_;
  }

  struct Seen {
    std::uint64_t index = 0;
    std::string_view path;
    std::string_view text;
    std::string_view body_hash;
  };
  // The step for a request. Safe from any thread.
  const Json& step(const Seen& seen);
  std::int64_t latency_ms() const { return latency_ms_; }

 private:
  struct Rule {
    Json step;
    std::optional<std::int64_t> index;
    std::optional<std::int64_t> every;
    std::optional<std::string> contains;
    std::optional<std::string> path;
    std::int64_t times = INT64_MAX;
    bool each = false;
    std::map<std::string, std::int64_t, std::less<>> taken;  // by body, or under an empty name
  };
  static Result<Rule> parse_rule(const Json& json);
  static bool fits(Rule& rule, const Seen& seen);

  std::mutex mutex_;
  std::vector<Rule> rules_;
  Json standard_ = Json::object({{"do", "reply"}});
  std::int64_t latency_ms_ = 0;
};

}  // namespace fiducial::ask_test
