#pragma once

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "fiducial/base/temporary_folder.h"
#include "fiducial/curate/all_stages.h"

namespace fiducial {

// For tests: runs a stage on texts and tells what became of its items.
class StageExample {
 public:
  StageExample(std::string stage, CurationMode mode) : stage_(std::move(stage)), mode_(mode) {}

  // Gives an input or an option the path of a file with this text.
  StageExample& file(const std::string& name, const std::string& text, const std::string& ending = ".jsonl") {
    const Path path = *folder_ / (name + ending);
    EXPECT_TRUE(write_file(path, std::string_view(text)).ok());
    return value(name, path.string());
  }
  StageExample& value(const std::string& name, const std::string& text) {
    request_.values[name].push_back(text);
    return *this;
  }
  StageExample& seed(std::uint64_t seed) {
    request_.seed = seed;
    return *this;
  }

  // "ok", "removed leak", ...: status and code of every item, in order.
  std::vector<std::string> run(const std::string& ending = ".jsonl") {
    request_.mode = mode_;
    request_.output = *folder_ / ("out" + ending);
    SilentProgress progress;
    const auto outcome = run_stage(**find_stage(stage_), request_, progress);
    EXPECT_TRUE(outcome.ok()) << outcome.error().text();
    std::vector<std::string> out;
    if (!outcome.ok()) return out;
    for (const Json& line : lines_of(request_.output.string() + ".status.jsonl")) {
      const Json* code = line.find("code");
      const bool has_code = code != nullptr && code->as_string() != nullptr && !code->as_string()->empty();
      out.push_back(*line.find("status")->as_string() + (has_code ? " " + *code->as_string() : ""));
    }
    return out;
  }

  // The items that were written.
  std::vector<Json> written() const { return lines_of(request_.output); }
  std::string text() const { return read_text_file(request_.output).value(); }

 private:
  static std::vector<Json> lines_of(const Path& path) {
    const std::string text = read_text_file(path).value();
    std::vector<Json> out;
    for (std::size_t at = 0; at < text.size();) {
      const std::size_t end = std::min(text.find('\n', at), text.size());
      out.push_back(parse_json(std::string_view(text).substr(at, end - at)).value());
      at = end + 1;
    }
    return out;
  }

  std::unique_ptr<TemporaryFolder> folder_ = std::make_unique<TemporaryFolder>();
  std::string stage_;
  CurationMode mode_;
  StageRequest request_;
};

}  // namespace fiducial
