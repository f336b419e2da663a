#include "fiducial/eval/agreement/judge_records.h"

#include <algorithm>
#include <array>
#include <set>

#include "fiducial/base/json_fields.h"
#include "fiducial/base/number_text.h"
#include "fiducial/text/unicode.h"

namespace fiducial {

std::string join_key(std::string_view text) {
  std::string spaced;
  for (std::size_t at = 0; at < text.size();) {
    const FirstCodePoint first = first_code_point(text.substr(at));
    const bool is_space = first.value == 0x200B || first.value == 0xFEFF || first.value == 0xA0;
    spaced += is_space ? " " : std::string(text.substr(at, first.bytes));
    at += first.bytes;
  }
  return white_space_collapsed(lower_cased(spaced));
}

std::optional<bool> yes_or_no(std::string_view cell, Scorer scorer) {
  constexpr std::array<std::string_view, 7> yes{"true", "t", "1", "yes", "y", "correct", "critical"};
  constexpr std::array<std::string_view, 6> no{"false", "f", "0", "no", "n", "incorrect"};
  const std::string word = lower_cased(white_space_trimmed(cell));
  if (std::find(yes.begin(), yes.end(), word) != yes.end()) return true;
  if (std::find(no.begin(), no.end(), word) != no.end()) return false;
  const auto number = scorer == Scorer::strict ? parse_double(word) : std::nullopt;
  if (number == 1.0) return true;
  if (number == 0.0) return false;
  return std::nullopt;
}

std::optional<bool> judged_label(const Json& check, const char* name, Scorer scorer) {
  const Json* value = check.as_object() == nullptr ? nullptr : check.find(name);
  if (value == nullptr) return std::nullopt;
  if (value->as_bool() != nullptr) return *value->as_bool();
  if (value->as_string() != nullptr) return yes_or_no(*value->as_string(), scorer);
  return yes_or_no(value->compact(), scorer);
}

std::vector<std::string> normalised_error_types(std::string_view cell) {
  std::set<std::string> out;
  while (!cell.empty()) {
    const std::size_t end = std::min(cell.find_first_of(";,/|"), cell.size());
    const std::string part(white_space_trimmed(cell.substr(0, end)));
    cell.remove_prefix(std::min(end + 1, cell.size()));
    if (part.empty()) continue;
    const std::string words = lower_cased(part);
    const auto has = [&words](std::string_view word) { return words.find(word) != std::string::npos; };
    if (has("reason")) {
      out.insert("Reasoning Err");
    } else if (has("image")) {
      out.insert("Image Understanding Err");
    } else if (has("clinic") || has("scenario") || has("senario")) {
      out.insert("Clinical Scenario Err");
    } else if (has("medical") || has("knowledge")) {
      out.insert("Medical Knowledge Err");
    } else {
      out.insert(part);
    }
  }
  return {out.begin(), out.end()};
}

std::vector<std::string> judged_error_types(const Json& check) {
  const Json* types = check.as_object() == nullptr ? nullptr : check.find("error_types");
  if (types == nullptr) return {};
  if (types->as_string() != nullptr) return normalised_error_types(*types->as_string());
  std::string all;
  if (types->as_array() == nullptr) return {};
  for (const Json& type : *types->as_array()) {
    if (type.as_string() != nullptr) all += *type.as_string() + ";";
  }
  return normalised_error_types(all);
}

namespace {

// Verdicts in the order of their steps, with nothing where a step has none; as they are where one has no
// number of its own.
Json::Array by_step(const Json::Array& checks) {
  constexpr std::int64_t most = 100'000;
  Json::Array out;
  for (const Json& check : checks) {
    const std::int64_t step = check.as_object() == nullptr ? 0 : integer_at(check, "step");
    if (step < 1 || step > most) return checks;
    const auto at = static_cast<std::size_t>(step - 1);
    if (at >= out.size()) out.resize(at + 1);
    if (out[at].is_null()) out[at] = check;
  }
  return out;
}

}  // namespace

Result<JudgeRecords> JudgeRecords::read(const Path& path) {
  FIDUCIAL_TRY(const RecordFile file, read_records(path));
  JudgeRecords out;
  for (const Record& record : file.records) {
    const Outcome added = out.add(record);
    if (!added.ok()) return at_record(added.error(), record, path.string());
  }
  return out;
}

const Json::Array* JudgeRecords::find(std::string_view title, std::string_view history) const {
  const auto exact = by_case_.find({join_key(title), join_key(history)});
  if (exact != by_case_.end()) return &exact->second;
  const auto alone = by_case_.find({join_key(title), ""});
  return alone == by_case_.end() ? nullptr : &alone->second;
}

Outcome JudgeRecords::add(const Record& record) {
  FIDUCIAL_TRY(const std::optional<std::string> title, record.text("title"));
  if (!title) return invalid_data("expected a title, found none");
  std::string history;
  for (const char* key : {"CLINICAL_HISTORY", "clinical_history"}) {
    FIDUCIAL_TRY(const std::optional<std::string> found, record.text(key));
    if (found) history = *found;
  }
  for (const char* key : {"explanation_steps_checks", "verdicts"}) {
    const Json* checks = record.find(key);
    if (checks == nullptr || checks->as_array() == nullptr) continue;
    by_case_.emplace(CaseKey(join_key(*title), join_key(history)), by_step(*checks->as_array()));
    return done();
  }
  return invalid_data("expected explanation_steps_checks, found none");
}

}  // namespace fiducial
