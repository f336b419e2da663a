#include "fiducial/tasks/diagnosis/step_verdicts.h"

#include <algorithm>

#include "fiducial/base/json_fields.h"
#include "fiducial/base/number_text.h"
#include "fiducial/base/utf8.h"
#include "fiducial/text/reasoning_steps.h"
#include "fiducial/text/unicode.h"
#include "fiducial/text/words.h"

namespace fiducial {

namespace {

constexpr std::size_t max_case_steps = 1000;  // far beyond what any splitter gives

Error verdict_error(const std::string& reason) { return invalid_data(reason); }

// A flag by its type; cells of a table are words.
Result<bool> flag_of(const Json& check, const char* key, bool typed) {
  const Json* value = check.find(key);
  if (value == nullptr || value->is_null()) return verdict_error(std::string(key) + " is absent");
  if (value->as_bool() != nullptr) return *value->as_bool();
  if (!typed && value->as_string() != nullptr) {
    const std::string word = ascii_lower(white_space_trimmed(*value->as_string()));
    if (word == "true" || word == "1") return true;
    if (word == "false" || word == "0") return false;
  }
  return verdict_error(std::string(key) + " is " + value->compact() + ", not true or false");
}

// The labels of a check: an array, or in a table words between semicolons.
Result<std::vector<std::string>> labels_of(const Json& check, bool typed) {
  std::vector<std::string> out;
  const Json* value = check.find("error_types");
  if (value == nullptr || value->is_null()) return out;
  if (!typed && value->as_string() != nullptr) {
    std::string_view rest = *value->as_string();
    while (!rest.empty()) {
      const std::size_t end = std::min(rest.find(';'), rest.size());
      if (const std::string_view label = white_space_trimmed(rest.substr(0, end)); !label.empty())
        out.emplace_back(label);
      rest.remove_prefix(std::min(end + 1, rest.size()));
    }
    return out;
  }
  if (value->as_array() == nullptr) return verdict_error("error_types is no list");
  for (const Json& label : *value->as_array()) {
    if (label.as_string() == nullptr) return verdict_error("error_types holds " + label.compact());
    out.push_back(*label.as_string());
  }
  return out;
}

std::optional<std::size_t> type_of(const std::string& label) {
  for (std::size_t i = 0; i < step_error_type_count; ++i) {
    if (step_error_types[i].label == label) return i;
  }
  return std::nullopt;
}

Result<StepVerdict> strict_verdict_of(const Json& check, bool typed) {
  if (check.as_object() == nullptr) return verdict_error("a verdict is no object");
  StepVerdict out{.status = VerdictStatus::ok};
  FIDUCIAL_TRY(out.is_factual, flag_of(check, "is_factual", typed));
  FIDUCIAL_TRY(out.is_critical, flag_of(check, "is_critical", typed));
  const Json* words = check.find("explanation");
  if (words == nullptr || words->as_string() == nullptr) return verdict_error("explanation is no text");
  const std::size_t length = code_points(*words->as_string());
  if (length < 2 || length > 300) {
    return verdict_error("explanation has " + decimal(length) + " characters, not 2 to 300");
  }
  FIDUCIAL_TRY(const std::vector<std::string> labels, labels_of(check, typed));
  if (out.is_factual && !labels.empty()) return verdict_error("a factual step has error types");
  if (!out.is_factual && labels.empty()) return verdict_error("a false step has no error type");
  for (const std::string& label : labels) {
    const auto type = type_of(label);
    if (!type) return verdict_error("unknown error type \"" + label + "\"");
    out.error_types.at(*type) = true;
  }
  return out;
}

StepVerdict strict_verdict(const Json& check, bool typed) {
  Result<StepVerdict> out = strict_verdict_of(check, typed);
  if (out.ok()) return *std::move(out);
  return {.status = VerdictStatus::invalid, .reason = out.error().message()};
}

// Whatever Python takes for true.
bool is_true(const Json* value) {
  if (value == nullptr || value->is_null()) return false;
  if (value->as_bool() != nullptr) return *value->as_bool();
  if (value->as_string() != nullptr) return !value->as_string()->empty();
  if (value->as_array() != nullptr) return !value->as_array()->empty();
  if (value->as_object() != nullptr) return !value->as_object()->empty();
  return value->as_number().value_or(0) != 0;
}

StepVerdict official_verdict(const Json& check, bool typed) {
  StepVerdict out{.status = VerdictStatus::ok};
  if (check.as_object() == nullptr) return out;
  const auto flag = [&](const char* key) {
    const Result<bool> cell = typed ? Result<bool>(false) : flag_of(check, key, false);
    return typed || !cell.ok() ? is_true(check.find(key)) : *cell;
  };
  out.is_factual = flag("is_factual");
  out.is_critical = flag("is_critical");
  const Result<std::vector<std::string>> labels = labels_of(check, typed);
  if (out.is_factual || !labels.ok()) return out;
  for (const std::string& label : *labels) {
    if (const auto type = type_of(label)) out.error_types.at(*type) = true;
  }
  return out;
}

// The step number of a check, where it has one.
std::optional<std::int64_t> step_number(const Json& check, bool typed) {
  const Json* value = check.as_object() == nullptr ? nullptr : check.find("step");
  if (value == nullptr || value->is_null()) return std::nullopt;
  if (value->as_integer() != nullptr) return *value->as_integer();
  if (!typed && value->as_string() != nullptr) {
    if (const auto number = parse_integer(white_space_trimmed(*value->as_string()))) return number;
  }
  return -1;
}

std::vector<std::string> steps_of(const CaseVerdicts* verdicts, const std::string& reasoning, Scorer scorer) {
  if (verdicts != nullptr && verdicts->steps) return *verdicts->steps;
  std::vector<std::string> out = split_reasoning_steps(reasoning, scorer == Scorer::official);
  if (verdicts == nullptr) return out;
  if (verdicts->step_count) {
    out.resize(*verdicts->step_count);
  } else if (out.empty()) {
    std::size_t most = verdicts->checks.size();
    for (const Json& check : verdicts->checks) {
      const auto number = step_number(check, verdicts->typed);
      if (number && *number > 0)
        most = std::max(most, std::min(static_cast<std::size_t>(*number), max_case_steps));
    }
    out.resize(most);
  }
  return out;
}

bool is_blank(const std::string& step) { return white_space_trimmed(step).empty(); }

void place_by_number(const CaseVerdicts& verdicts, std::vector<JudgedStep>& steps) {
  std::vector<int> found(steps.size());
  for (const Json& check : verdicts.checks) {
    const auto number = step_number(check, verdicts.typed);
    if (!number || *number < 1 || static_cast<std::size_t>(*number) > steps.size()) continue;
    const auto at = static_cast<std::size_t>(*number - 1);
    steps[at].verdict = strict_verdict(check, verdicts.typed);
    if (++found[at] > 1) steps[at].verdict = {VerdictStatus::invalid, false, false, {}, "judged twice"};
  }
}

void place_strictly(const CaseVerdicts& verdicts, std::vector<JudgedStep>& steps) {
  const bool numbered = std::any_of(verdicts.checks.begin(), verdicts.checks.end(), [&](const Json& check) {
    return step_number(check, verdicts.typed).has_value();
  });
  if (numbered) {
    place_by_number(verdicts, steps);
    return;
  }
  if (verdicts.checks.empty()) return;
  const bool fits = verdicts.checks.size() == steps.size();
  for (std::size_t i = 0; i < steps.size(); ++i) {
    steps[i].verdict =
        fits ? strict_verdict(verdicts.checks[i], verdicts.typed)
             : StepVerdict{.status = VerdictStatus::invalid,
                           .reason = decimal(verdicts.checks.size()) + " verdicts without step numbers for " +
                                     decimal(steps.size()) + " steps"};
  }
}

// Reads what a record says about its case as a whole.
Result<CaseVerdicts> case_verdicts(const Record& record, const std::string& list_key) {
  CaseVerdicts out{.line = record.line(), .typed = record.is_typed()};
  const Json* list = record.find(list_key);
  FIDUCIAL_TRY(const Json::Array* checks, expect_array(*list, "/" + list_key));
  if (checks->size() > max_case_steps) return at_pointer("/" + list_key, "more than 1000 verdicts");
  out.checks = *checks;
  FIDUCIAL_TRY(const std::optional<std::int64_t> count, record.integer("explanation_step_count"));
  if (count) {
    if (*count < 0 || *count > static_cast<std::int64_t>(max_case_steps)) {
      return at_pointer("/explanation_step_count", "expected 0 to 1000, found " + decimal(*count));
    }
    out.step_count = static_cast<std::size_t>(*count);
  }
  const Json* steps = record.find("explanation_steps");
  if (steps == nullptr) return out;
  FIDUCIAL_TRY(const Json::Array* texts, expect_array(*steps, "/explanation_steps"));
  if (texts->size() > max_case_steps) return at_pointer("/explanation_steps", "more than 1000 steps");
  out.steps.emplace();
  for (std::size_t i = 0; i < texts->size(); ++i) {
    FIDUCIAL_TRY(std::string text, expect_string((*texts)[i], "/explanation_steps/" + decimal(i)));
    out.steps->push_back(std::move(text));
  }
  return out;
}

Outcome add_record(VerdictTable& out, const Record& record) {
  FIDUCIAL_TRY(const std::int64_t number, record.case_number());
  for (const char* key : {"explanation_steps_checks", "verdicts"}) {
    if (record.find(key) == nullptr) continue;
    FIDUCIAL_TRY(CaseVerdicts verdicts, case_verdicts(record, key));
    const auto [known, is_new] = out.emplace(number, std::move(verdicts));
    if (is_new) return done();
    return invalid_data("expected a case once, found \"Case number " + decimal(number) + "\" in line " +
                        decimal(known->second.line) + " too");
  }
  if (record.find("step") == nullptr) {
    return at_pointer("/explanation_steps_checks", "expected a list of verdicts, or \"step\", found neither");
  }
  CaseVerdicts& verdicts = out[number];
  if (verdicts.checks.empty()) verdicts.line = record.line();
  if (verdicts.steps || verdicts.step_count)
    return invalid_data("expected a case once, found it in two forms");
  verdicts.typed = record.is_typed();
  if (verdicts.checks.size() >= max_case_steps) return invalid_data("more than 1000 verdicts of one case");
  verdicts.checks.push_back(record.fields());
  return done();
}

}  // namespace

std::string_view to_string(VerdictStatus status) {
  constexpr std::string_view names[] = {"ok", "missing", "invalid"};
  return names[static_cast<std::size_t>(status)];
}

Result<VerdictTable> verdict_table(const std::vector<Record>& records, const std::string& path) {
  VerdictTable out;
  for (const Record& record : records) {
    const Outcome added = add_record(out, record);
    if (!added.ok()) return at_record(added.error(), record, path);
  }
  return out;
}

std::vector<JudgedStep> judged_steps(const CaseVerdicts* verdicts, const std::string& reasoning,
                                     Scorer scorer) {
  std::vector<JudgedStep> out;
  for (std::string& text : steps_of(verdicts, reasoning, scorer)) {
    out.push_back({.number = out.size() + 1, .text = std::move(text)});
  }
  if (scorer == Scorer::strict) {
    if (verdicts != nullptr) place_strictly(*verdicts, out);
    const bool knows_steps = verdicts == nullptr || verdicts->steps.has_value();
    if (knows_steps) std::erase_if(out, [](const JudgedStep& step) { return is_blank(step.text); });
    return out;
  }
  if (verdicts == nullptr) return {};
  for (std::size_t i = 0; i < out.size(); ++i) {
    const bool is_there = i < verdicts->checks.size();
    out[i].verdict = is_there ? official_verdict(verdicts->checks[i], verdicts->typed)
                              : StepVerdict{.status = VerdictStatus::ok};
  }
  return out;
}

}  // namespace fiducial
