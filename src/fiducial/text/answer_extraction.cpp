#include "fiducial/text/answer_extraction.h"

#include <algorithm>
#include <set>
#include <vector>

#include "fiducial/text/answer_shares.h"
#include "fiducial/text/answer_statements.h"
#include "fiducial/text/balanced_objects.h"
#include "fiducial/text/folded_words.h"
#include "fiducial/text/unicode.h"

namespace fiducial {

namespace {

constexpr std::string_view option_letters = "ABCDE";

using Options = std::array<std::string, 5>;

ExtractedAnswer found(const std::string& letters, AnswerRule rule) {
  if (letters.size() != 1) return {std::nullopt, AnswerRule::ambiguous};
  return {letters[0], rule};
}

// The last statement of the greatest strength; what is only named is told from what is said.
const AnswerStatement* decisive(const std::vector<AnswerStatement>& statements) {
  const AnswerStatement* out = nullptr;
  for (const AnswerStatement& each : statements) {
    if (each.strength != Commitment::bare && (out == nullptr || each.strength >= out->strength)) out = &each;
  }
  return out;
}

// Sentences of nothing but an option: one option in all of them, else the one that opens or closes the reply.
std::optional<ExtractedAnswer> bare_answer(const std::vector<AnswerStatement>& statements) {
  std::string letters;
  bool is_text = true;
  for (const AnswerStatement& each : statements) {
    if (each.strength != Commitment::bare) continue;
    for (const char letter : each.letters) {
      if (letters.find(letter) == std::string::npos) letters += letter;
    }
    is_text = is_text && each.is_text;
  }
  if (letters.empty()) return std::nullopt;
  if (letters.size() > 1 && statements.front().is_in_first_line && statements.front().letters.size() == 1 &&
      !statements.front().is_text && statements.back().letters.size() > 1)
    return found(statements.front().letters, AnswerRule::first_line);
  return found(letters, is_text ? AnswerRule::option_text : AnswerRule::first_line);
}

std::set<std::string> word_set(std::string_view text) {
  std::set<std::string> out;
  for (const FoldedWord& word : folded_words(text)) out.insert(word.text);
  return out;
}

// The words of a short reply that may name an option, with the letters of names ("type B"); none where it is
// long.
std::set<std::string> value_words(const std::vector<AnswerToken>& tokens) {
  constexpr std::size_t most_words = 6;
  std::set<std::string> out;
  AnswerRole before = AnswerRole::other;
  for (const AnswerToken& token : tokens) {
    const AnswerRole role = token.role;
    if (role == AnswerRole::is || role == AnswerRole::cue) out.clear();
    const bool is_letter_of_name = before == AnswerRole::context && token.word.size() == 1;
    if (!token.word.empty() &&
        (role == AnswerRole::other || role == AnswerRole::context || is_letter_of_name))
      out.merge(word_set(token.word));
    if (out.size() > most_words) return {};
    before = role;
  }
  return out;
}

// "infarct" for "infarction", "crohns" for "Crohn's".
bool shortens(const std::string& word, const std::string& whole) {
  constexpr std::size_t shortest = 5;
  return word == whole || (word.size() >= shortest && whole.starts_with(word)) || word == whole + "s";
}

// A short value whose words all stand in the text of one option: "Crohn's" for "Crohn's disease".
std::optional<ExtractedAnswer> part_of_option(const std::vector<AnswerToken>& tokens,
                                              const Options& options) {
  const std::set<std::string> value = value_words(tokens);
  const bool has_name =
      std::any_of(value.begin(), value.end(), [](const std::string& word) { return word.size() > 3; });
  if (!has_name) return std::nullopt;
  std::string same;
  std::string shortened;
  for (std::size_t i = 0; i < options.size(); ++i) {
    const std::set<std::string> words = word_set(options[i]);
    if (std::includes(words.begin(), words.end(), value.begin(), value.end())) same += option_letters[i];
    const bool is_short = std::all_of(value.begin(), value.end(), [&](const std::string& word) {
      return std::any_of(words.begin(), words.end(),
                         [&](const std::string& whole) { return shortens(word, whole); });
    });
    if (is_short) shortened += option_letters[i];
  }
  const std::string& letters = same.empty() ? shortened : same;
  if (letters.size() != 1) return std::nullopt;
  return ExtractedAnswer{letters[0], AnswerRule::option_text};
}

std::string without(std::string_view letters, const std::string& taken) {
  std::string out;
  for (const char letter : letters) {
    if (taken.find(letter) == std::string::npos) out += letter;
  }
  return out;
}

// Whether a word of another option's text stands in the reply, which then speaks of more than one option.
bool hints_at_another(const std::vector<AnswerToken>& tokens, const Options& options, char letter) {
  constexpr std::size_t shortest = 6;
  const std::set<std::string> own = word_set(options[option_letters.find(letter)]);
  std::set<std::string> others;
  for (const std::string& option : options) others.merge(word_set(option));
  const bool has_letter = std::any_of(tokens.begin(), tokens.end(), [&](const AnswerToken& token) {
    return token.is_mention() && !token.is_text && token.letters[0] == letter;
  });
  if (has_letter) return false;
  return std::any_of(tokens.begin(), tokens.end(), [&](const AnswerToken& token) {
    return token.word.size() >= shortest && others.contains(token.word) && !own.contains(token.word);
  });
}

// What is left where nothing is committed to.
ExtractedAnswer from_mentions(const AnswerReading& reading, const std::vector<AnswerToken>& tokens,
                              const Options& options) {
  const std::string open = without(reading.named, reading.rejected);
  const bool is_eliminated = reading.rejected.size() + 1 == option_letters.size();
  const std::string last = without(option_letters, reading.rejected);
  if (is_eliminated && (open.empty() || open == last)) return found(last, AnswerRule::elimination);
  if (open.size() > 1) return {std::nullopt, AnswerRule::ambiguous};
  if (reading.refuses) return {std::nullopt, AnswerRule::refused};
  if (reading.denies_all || open.empty()) return {};
  const bool by_text = reading.named_by_text.find(open[0]) != std::string::npos;
  if (by_text && hints_at_another(tokens, options, open[0])) return {std::nullopt, AnswerRule::ambiguous};
  return found(open, by_text ? AnswerRule::option_text : AnswerRule::lone_letter);
}

ExtractedAnswer from_words(std::string_view text, const Options& options, bool first_of_equal) {
  const std::vector<AnswerToken> tokens = answer_tokens(text, options, first_of_equal);
  const AnswerReading reading = read_statements(tokens);
  if (reading.is_letter_only) {
    const auto mention = std::find_if(tokens.begin(), tokens.end(),
                                      [](const AnswerToken& token) { return token.is_mention(); });
    return found(mention->letters, AnswerRule::letter);
  }
  if (const AnswerStatement* statement = decisive(reading.statements)) {
    const AnswerRule rule = statement->is_text    ? AnswerRule::option_text
                            : statement->is_boxed ? AnswerRule::boxed
                                                  : AnswerRule::statement;
    return found(statement->letters, rule);
  }
  if (const auto bare = bare_answer(reading.statements)) return *bare;
  if (reading.named.empty() && reading.rejected.empty() && !reading.refuses && !reading.denies_all) {
    if (const auto part = part_of_option(tokens, options)) return *part;
  }
  return from_mentions(reading, tokens, options);
}

// The member that holds the answer, whatever its case; an "answer" goes before its other names.
const Json* answer_of(const Json& value) {
  if (value.as_object() == nullptr) return nullptr;
  for (const std::string_view name : {"answer",           "final_answer",    "final answer",
                                      "finalanswer",      "answer_letter",   "correct_answer",
                                      "choice",           "option",          "letter",
                                      "selected_option",  "selected",        "selection",
                                      "predicted_answer", "prediction",      "predicted",
                                      "diagnosis",        "final_diagnosis", "final",
                                      "response",         "result",          "output"}) {
    for (const auto& [key, member] : *value.as_object()) {
      if (lower_cased(key) == name) return &member;
    }
  }
  return nullptr;
}

// A letter given in JSON, and words there as words anywhere.
ExtractedAnswer from_value(const Json& value, const Options& options, bool first_of_equal) {
  if (const Json::Array* list = value.as_array()) {
    if (list->size() == 1) return from_value(list->front(), options, first_of_equal);
    return {std::nullopt, list->empty() ? AnswerRule::none : AnswerRule::ambiguous};
  }
  if (const Json* inner = answer_of(value)) return from_value(*inner, options, first_of_equal);
  const std::string* text = value.as_string();
  if (text == nullptr) return {};
  ExtractedAnswer out = from_words(*text, options, first_of_equal);
  const bool is_plain = out.rule == AnswerRule::letter || out.rule == AnswerRule::statement ||
                        out.rule == AnswerRule::first_line || out.rule == AnswerRule::boxed;
  if (is_plain) out.rule = AnswerRule::json;
  return out;
}

// The last JSON object inside a text that holds an answer.
std::optional<Json> json_inside(std::string_view text) {
  std::optional<Json> out;
  for (const std::string_view object : balanced_objects(text)) {
    Result<Json> parsed = parse_json(object);
    if (parsed.ok() && answer_of(*parsed) != nullptr) out = *std::move(parsed);
  }
  return out;
}

}  // namespace

std::string_view to_string(AnswerRule rule) {
  constexpr std::array<std::string_view, answer_rules + 3> names = {
      "letter",      "json",        "statement", "boxed",   "first_line", "option_text",
      "elimination", "lone_letter", "ambiguous", "refused", "none"};
  return names[static_cast<std::size_t>(rule)];
}

bool is_strict(AnswerRule rule) { return rule <= AnswerRule::statement; }

ExtractedAnswer extract_answer(std::string_view cleaned, const std::array<std::string, 5>& options,
                               bool first_of_equal) {
  const std::string_view text = white_space_trimmed(cleaned);
  const Result<Json> whole = parse_json(text);
  if (whole.ok()) {
    if (const auto largest = answer_by_shares(*whole)) return *largest;
  }
  if (whole.ok() && (answer_of(*whole) != nullptr || whole->as_array() != nullptr)) {
    return from_value(*whole, options, first_of_equal);
  }
  if (const auto inside = json_inside(text)) return from_value(*inside, options, first_of_equal);
  if (const auto largest = answer_by_shares(text)) return *largest;
  return from_words(text, options, first_of_equal);
}

}  // namespace fiducial
