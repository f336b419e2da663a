#include "fiducial/curate/cases/leakage_reply.h"

#include <algorithm>

#include "fiducial/base/number_text.h"
#include "fiducial/text/unicode.h"

namespace fiducial {

namespace {

std::string upper_cased(std::string_view text) {
  std::string out(text);
  for (char& c : out) {
    if (c >= 'a' && c <= 'z') c = static_cast<char>(c - 32);
  }
  return out;
}

std::string option_text(const Json& value) {
  if (const auto text = scalar_text(&value)) return *text;
  const Json::Object* object = value.as_object();
  if (object == nullptr) return {};
  std::string named = first_text(value, {"text", "value", "option", "desc", "content"});
  if (!named.empty()) return named;
  for (const auto& [name, each] : *object) {
    if (each.as_string() != nullptr && !white_space_trimmed(*each.as_string()).empty())
      return *each.as_string();
  }
  return {};
}

const LetteredOption* find_letter(std::span<const LetteredOption> options, std::string_view letter) {
  for (const LetteredOption& option : options) {
    if (option.letter == letter) return &option;
  }
  return nullptr;
}

// "b)" and "B." as "B"; anything else as it is.
std::string without_mark(std::string_view text) {
  std::string out = upper_cased(white_space_trimmed(text));
  if (!out.empty() && (out.back() == ')' || out.back() == '.')) out.pop_back();
  return out;
}

}  // namespace

std::vector<LetteredOption> judged_options(const Json& value) {
  std::vector<LetteredOption> out;
  if (const Json::Object* object = value.as_object()) {
    const bool lettered = std::all_of(object->begin(), object->end(), [](const Json::Member& member) {
      return single_letter(member.first).has_value();
    });
    for (const auto& [key, each] : *object) {
      const std::string letter = lettered ? std::string(1, *single_letter(key)) : option_letter(out.size());
      out.push_back({letter, option_text(each), key});
    }
  } else if (const Json::Array* list = value.as_array()) {
    for (const Json& each : *list) {
      const bool is_object = each.as_object() != nullptr;
      out.push_back({option_letter(out.size()), option_text(each),
                     is_object ? first_text(each, {"label", "id", "key", "option_id"}) : ""});
    }
  }
  return out;
}

std::vector<std::string> leaked_letters(const Json* named, std::span<const LetteredOption> options) {
  std::vector<std::string> letters;
  if (named != nullptr && named->as_array() != nullptr) {
    for (const Json& each : *named->as_array())
      letters.push_back(without_mark(scalar_text(&each).value_or("")));
  }
  std::vector<std::string> out;
  for (const LetteredOption& option : options) {
    const bool is_named = std::find(letters.begin(), letters.end(), option.letter) != letters.end();
    if (is_named && option.letter.size() == 1) out.push_back(option.letter);
  }
  return out;
}

std::optional<std::string> key_letter(std::string_view key, std::span<const LetteredOption> options) {
  const std::string text(white_space_trimmed(key));
  const auto single = single_letter(text);
  if (single && find_letter(options, std::string(1, *single)) != nullptr) return std::string(1, *single);
  for (const LetteredOption& option : options) {
    if (!option.original.empty() && option.original == text) return option.letter;
  }
  std::string word = without_mark(text);
  constexpr std::string_view prefix = "OPTION_";
  if (word.starts_with(prefix)) word.erase(0, prefix.size());
  if (word.size() == 1 && find_letter(options, word) != nullptr) return word;
  const auto position = parse_unsigned(text);
  if (position && *position < options.size()) return options[static_cast<std::size_t>(*position)].letter;
  return std::nullopt;
}

}  // namespace fiducial
