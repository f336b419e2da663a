#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "fiducial/eval/inputs/record_file.h"
#include "fiducial/metrics/contract.h"

namespace fiducial {

// Text as titles and histories are compared: zero-width and no-break spaces are spaces, case does not matter.
std::string join_key(std::string_view text);

// Yes or no as people and judges write it; nothing where it is neither. By official rules 1.0 and 0.0 are
// neither.
std::optional<bool> yes_or_no(std::string_view cell, Scorer scorer);

// What a verdict says under a name, likewise.
std::optional<bool> judged_label(const Json& check, const char* name, Scorer scorer);

// The kinds of error that a cell names: parts between ; , / | by the first word they hold, sorted, each once.
std::vector<std::string> normalised_error_types(std::string_view cell);
// Those that a verdict names, likewise.
std::vector<std::string> judged_error_types(const Json& check);

// A judge's verdicts by case (docs/formats/verdicts.md), found by title and history; a record without a
// history is found by its title.
class JudgeRecords {
 public:
  using CaseKey = std::pair<std::string, std::string>;
  using ByCase = std::map<CaseKey, Json::Array>;

  static Result<JudgeRecords> read(const Path& path);

  // Of a case that occurs twice the first record wins.
  Outcome add(const Record& record);
  const Json::Array* find(std::string_view title, std::string_view history) const;
  const ByCase& by_case() const { return by_case_; }

 private:
  ByCase by_case_;
};

}  // namespace fiducial
