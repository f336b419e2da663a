#include "fiducial/text/answer_extraction.h"

#include <algorithm>
#include <vector>

#include "fiducial/base/ascii.h"
#include "fiducial/text/unicode.h"

namespace fiducial {

namespace {

constexpr std::string_view option_letters = "ABCDE";

bool is_upper_letter(char c) { return option_letters.find(c) != std::string_view::npos; }

char upper(char c) { return c >= 'a' && c <= 'z' ? static_cast<char>(c - 32) : c; }
char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; }

bool is_answer_word(char c) { return is_letter(c) || is_digit(c) || c == '_' || is_wide(c); }

// What stands where one letter is expected.
enum class Given { letter, several, words };
struct GivenLetter {
  Given given = Given::words;
  char letter = 'A';
};

// Runs of letters and digits, in lower case.
std::vector<std::string> words_of(std::string_view text) {
  std::vector<std::string> out;
  std::string word;
  for (const char c : text) {
    if (is_answer_word(c) && c != '_') {
      word += lower(c);
    } else if (!word.empty()) {
      out.push_back(std::move(word));
      word.clear();
    }
  }
  if (!word.empty()) out.push_back(std::move(word));
  return out;
}

bool is_letters_only(const std::string& word) {
  return std::all_of(word.begin(), word.end(), [](char c) { return c >= 'a' && c <= 'e'; });
}

// "B", "(b)", "**B**." are a letter; "A, B", "A and B", "AB", "A/B" are several. "Bad" and "bee" are words.
GivenLetter given_letter(std::string_view text) {
  const std::vector<std::string> words = words_of(text);
  std::vector<std::string> found;
  for (const std::string& word : words) {
    if (word == "and" || word == "or" || word == "option") continue;
    if (!is_letters_only(word)) return {};
    if (word.size() > 1 && text.find_first_of("abcde") != std::string_view::npos) return {};
    found.push_back(word);
  }
  if (found.empty()) return {};
  if (found.size() == 1 && found[0].size() == 1) return {Given::letter, upper(found[0][0])};
  return {Given::several, 'A'};
}

std::string normalised(std::string_view text) {
  std::string out = " ";
  for (const std::string& word : words_of(text)) out += word + " ";
  return out;
}

// A letter as above, or one before the text of its own option: "C. Sarcoidosis".
GivenLetter given_letter(std::string_view text, const std::array<std::string, 5>& options) {
  const std::string words = normalised(text);
  const std::size_t at =
      words.size() > 3 && words[2] == ' ' ? option_letters.find(upper(words[1])) : std::string_view::npos;
  if (at != std::string_view::npos && std::string_view(words).substr(2) == normalised(options[at])) {
    return {Given::letter, option_letters[at]};
  }
  return given_letter(text);
}

const Json* answer_of(const Json& value) {
  return value.as_object() == nullptr ? nullptr : value.find("answer");
}

// The first {...} whose braces balance outside of strings.
std::optional<std::string_view> first_balanced(std::string_view text) {
  const std::size_t begin = text.find('{');
  if (begin == std::string_view::npos) return std::nullopt;
  int depth = 0;
  bool in_string = false;
  for (std::size_t at = begin; at < text.size(); ++at) {
    const char c = text[at];
    if (in_string) {
      if (c == '\\') ++at;
      if (c == '"') in_string = false;
    } else if (c == '"') {
      in_string = true;
    } else if (c == '{') {
      ++depth;
    } else if (c == '}' && --depth == 0) {
      return text.substr(begin, at - begin + 1);
    }
  }
  return std::nullopt;
}

// The first code fence that holds a JSON object with an answer, else the first balanced {...} that is one.
std::optional<Json> json_inside(std::string_view text) {
  constexpr std::string_view fence = "```";
  for (std::size_t at = text.find(fence); at != std::string_view::npos;) {
    const std::size_t line_end = text.find('\n', at);
    const std::size_t end = line_end == std::string_view::npos ? line_end : text.find(fence, line_end);
    if (end == std::string_view::npos) break;
    const Result<Json> parsed = parse_json(white_space_trimmed(text.substr(line_end, end - line_end)));
    if (parsed.ok() && answer_of(*parsed) != nullptr) return *parsed;
    at = text.find(fence, end + fence.size());
  }
  const auto balanced = first_balanced(text);
  if (!balanced) return std::nullopt;
  const Result<Json> parsed = parse_json(*balanced);
  if (!parsed.ok() || answer_of(*parsed) == nullptr) return std::nullopt;
  return *parsed;
}

// What follows "Answer:" in a line of that form, or nothing.
std::optional<std::string_view> answer_line_value(std::string_view line) {
  constexpr std::string_view decoration = " \t*_#>-";
  const auto skip = [&line](std::string_view set) {
    line.remove_prefix(std::min(line.find_first_not_of(set), line.size()));
  };
  const auto skip_word = [&line](std::string_view word) {
    if (line.size() < word.size()) return false;
    for (std::size_t i = 0; i < word.size(); ++i) {
      if (lower(line[i]) != word[i]) return false;
    }
    line.remove_prefix(word.size());
    return true;
  };
  skip(decoration);
  if (skip_word("final")) skip(decoration);
  if (!skip_word("answer")) return std::nullopt;
  skip("*_ \t");
  if (!line.starts_with(':')) return std::nullopt;
  return line.substr(1);
}

// Rule c: of the last line of its form that gives letters.
GivenLetter answer_line(std::string_view text, const std::array<std::string, 5>& options) {
  GivenLetter out;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    if (const auto value = answer_line_value(white_space_trimmed(text.substr(0, end)))) {
      const GivenLetter given = given_letter(*value, options);
      if (given.given != Given::words) out = given;
    }
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return out;
}

// Rule d.
GivenLetter boxed(std::string_view text) {
  constexpr std::string_view mark = "\\boxed{";
  const std::size_t at = text.rfind(mark);
  if (at == std::string_view::npos) return {};
  std::string_view inner = text.substr(at + mark.size());
  const std::size_t end = inner.find('}');
  if (end == std::string_view::npos) return {};
  inner = inner.substr(0, end);
  if (inner.starts_with("\\text{")) inner.remove_prefix(6);
  return given_letter(inner);
}

// Rule e.
std::optional<char> last_letter(std::string_view text) {
  for (std::size_t at = text.size(); at-- > 0;) {
    if (!is_upper_letter(text[at])) continue;
    const bool stands_alone = (at == 0 || !is_answer_word(text[at - 1])) &&
                              (at + 1 == text.size() || !is_answer_word(text[at + 1]));
    if (stands_alone) return text[at];
  }
  return std::nullopt;
}

// Rule f: one option that is the whole text, else one that stands in it.
std::optional<char> option_text(std::string_view text, const std::array<std::string, 5>& options) {
  const std::string whole = normalised(text);
  for (const bool by_part : {false, true}) {
    std::string matches;
    for (std::size_t i = 0; i < options.size(); ++i) {
      const std::string option = normalised(options[i]);
      if (option.size() < 2) continue;
      if (by_part ? whole.find(option) != std::string::npos : whole == option) matches += option_letters[i];
    }
    if (matches.size() == 1) return matches[0];
    if (!matches.empty()) return std::nullopt;
  }
  return std::nullopt;
}

// Rules c to f.
ExtractedAnswer from_words(std::string_view text, const std::array<std::string, 5>& options) {
  if (given_letter(text).given == Given::several) return {};
  const GivenLetter line = answer_line(text, options);
  if (line.given == Given::letter) return {line.letter, AnswerRule::answer_line};
  if (line.given == Given::several) return {};
  const GivenLetter box = boxed(text);
  if (box.given == Given::letter) return {box.letter, AnswerRule::boxed};
  if (box.given == Given::several) return {};
  if (const auto letter = last_letter(text)) return {letter, AnswerRule::last_letter};
  if (const auto letter = option_text(text, options)) return {letter, AnswerRule::option_text};
  return {};
}

// Rules a and b on the member "answer"; words go down the ladder.
ExtractedAnswer from_member(const Json& answer, AnswerRule rule, const std::array<std::string, 5>& options) {
  const std::string* text = answer.as_string();
  if (text == nullptr) return {};
  const GivenLetter given = given_letter(*text, options);
  if (given.given == Given::letter) return {given.letter, rule};
  if (given.given == Given::several) return {};
  return from_words(*text, options);
}

}  // namespace

std::string_view to_string(AnswerRule rule) {
  constexpr std::array<std::string_view, answer_rules> names = {"letter",        "a_json",  "b_json_inside",
                                                                "c_answer_line", "d_boxed", "e_last_letter",
                                                                "f_option_text", "none"};
  return names[static_cast<std::size_t>(rule)];
}

bool is_strict(AnswerRule rule) { return rule <= AnswerRule::answer_line; }

ExtractedAnswer extract_answer(std::string_view cleaned, const std::array<std::string, 5>& options) {
  const std::string_view text = white_space_trimmed(cleaned);
  const Result<Json> whole = parse_json(text);
  if (whole.ok() && answer_of(*whole) != nullptr) {
    return from_member(*answer_of(*whole), AnswerRule::json, options);
  }
  if (const auto inside = json_inside(text)) {
    return from_member(*answer_of(*inside), AnswerRule::json_inside, options);
  }
  return from_words(text, options);
}

}  // namespace fiducial
