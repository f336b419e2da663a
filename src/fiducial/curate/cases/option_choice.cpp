#include "fiducial/curate/cases/option_choice.h"

#include <algorithm>
#include <set>

#include "fiducial/base/json_fields.h"
#include "fiducial/curate/cases/option_cropping.h"

namespace fiducial {

namespace {

LetteredOptions options_of(const Json& value, bool official) {
  LetteredOptions out;
  const auto text = [](const Json& each) { return scalar_text(&each).value_or(each.compact()); };
  if (const Json::Array* list = value.as_array()) {
    for (std::size_t i = 0; i < std::min<std::size_t>(list->size(), 26); ++i) {
      out.push_back({option_letter(i), text((*list)[i]), ""});
    }
  } else if (const Json::Object* object = value.as_object()) {
    for (const auto& [key, each] : *object) {
      const auto letter = single_letter(key);
      out.push_back({letter && !official ? std::string(1, *letter) : key, text(each), key});
    }
  }
  return out;
}

std::optional<std::size_t> by_letter(const LetteredOptions& options, std::string_view text) {
  const auto letter = single_letter(text);
  if (!letter) return std::nullopt;
  for (std::size_t i = 0; i < options.size(); ++i) {
    if (options[i].letter == std::string(1, *letter)) return i;
  }
  return std::nullopt;
}

std::optional<std::size_t> by_text(const LetteredOptions& options, std::string_view text) {
  const std::string norm = lower_norm(text);
  if (norm.empty()) return std::nullopt;
  for (std::size_t i = 0; i < options.size(); ++i) {
    if (lower_norm(options[i].text) == norm) return i;
  }
  return std::nullopt;
}

std::optional<std::size_t> lettered_key(const Json& item, const LetteredOptions& options) {
  for (const char* name : {"gt_letter", "correct_answer_letter", "correct_answer"}) {
    if (const auto found = by_letter(options, first_text(item, {name}))) return found;
  }
  if (const auto found = by_text(options, first_text(item, {"correct_answer"}))) return found;
  return by_text(options, first_text(item, {"correct_answer_text"}));
}

std::optional<std::size_t> choice_of(const Json& item, const LetteredOptions& options) {
  for (const char* name : {"parsed_answer_letter", "answer_letter", "pred_letter", "model_answer_letter"}) {
    if (const auto found = by_letter(options, first_text(item, {name}))) return found;
  }
  const Json* raw = item.find("raw_output");
  for (const Json* holder : {raw, &item}) {
    if (holder == nullptr || holder->as_object() == nullptr) continue;
    const std::string answer = first_text(*holder, {"answer"});
    if (const auto found = by_letter(options, answer)) return found;
    if (const auto found = by_text(options, answer)) return found;
  }
  return std::nullopt;
}

}  // namespace

Question question_of(const Json& item, bool official) {
  Question out;
  const Json* options = item.find("options");
  const bool is_there = options != nullptr && !options_of(*options, official).empty();
  if (!is_there && item.find("gpt_options") != nullptr) {
    out.field = "gpt_options";
    options = item.find("gpt_options");
  }
  if (options != nullptr) out.options = options_of(*options, official);
  out.key = lettered_key(item, out.options);
  const auto choice = choice_of(item, out.options);
  // Without a key nobody knows whether a choice is wrong, unless the record says so.
  const bool is_correct = flag_at(item, "is_correct").value_or(!out.key || choice == out.key);
  if (!is_correct && choice && choice != out.key) out.wrong_choice = choice;
  return out;
}

std::vector<std::size_t> kept_options(const Question& question, bool distinct, PythonRandom& random) {
  std::set<std::size_t> kept;
  if (question.key) kept.insert(*question.key);
  if (question.wrong_choice) kept.insert(*question.wrong_choice);
  std::set<std::string> texts;
  for (const std::size_t at : kept) texts.insert(lower_norm(question.options[at].text));
  std::vector<std::size_t> rest;
  for (std::size_t i = 0; i < question.options.size(); ++i) {
    if (kept.contains(i)) continue;
    if (distinct && !texts.insert(lower_norm(question.options[i].text)).second) continue;
    rest.push_back(i);
  }
  const std::size_t missing = std::min(options_wanted - kept.size(), rest.size());
  for (const std::size_t at : random.sample(rest.size(), missing)) kept.insert(rest[at]);
  return {kept.begin(), kept.end()};
}

bool has_equal_texts(const Question& question, const std::vector<std::size_t>& kept) {
  std::set<std::string> texts;
  for (const std::size_t at : kept) texts.insert(lower_norm(question.options[at].text));
  return texts.size() != kept.size();
}

}  // namespace fiducial
