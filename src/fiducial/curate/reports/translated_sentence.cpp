#include "fiducial/curate/reports/translated_sentence.h"

#include <algorithm>

#include "fiducial/base/ascii.h"
#include "fiducial/base/number_text.h"
#include "fiducial/base/plain_text.h"
#include "fiducial/base/suggestion.h"
#include "fiducial/text/unicode.h"

namespace fiducial {

std::string_view embedded_source_words();  // data/source_words.txt

namespace {

// Words in small letters with one blank before, between and behind them.
std::string spaced_words(std::string_view text) {
  const std::string small = lower_cased(text);
  std::string_view rest = small;
  std::string out = " ";
  while (!rest.empty()) {
    const FirstCodePoint point = first_code_point(rest);
    if (is_word_character(point.value)) {
      out.append(rest, 0, point.bytes);
    } else if (out.back() != ' ') {
      out += ' ';
    }
    rest.remove_prefix(point.bytes);
  }
  if (out.back() != ' ') out += ' ';
  return out;
}

// "x*" as " x", "*x" as "x ", "*x*" as "x", "a_b" as " a b ": what is looked for in spaced words.
std::string needle_of(std::string word) {
  std::replace(word.begin(), word.end(), '_', ' ');
  const bool is_open_before = word.starts_with('*');
  const bool is_open_behind = word.ends_with('*');
  word = std::string(trimmed(word, "*"));
  return (is_open_before ? "" : " ") + word + (is_open_behind ? "" : " ");
}

std::vector<std::string> words_of(std::string_view line) {
  std::vector<std::string> out;
  while (!(line = trimmed(line)).empty()) {
    const std::size_t end = std::min(line.find(' '), line.size());
    out.emplace_back(line.substr(0, end));
    line.remove_prefix(end);
  }
  return out;
}

// The unit that a text begins with, behind a blank or a hyphen; "" where there is none.
std::string_view unit_at(std::string_view text) {
  if (text.starts_with(' ') || text.starts_with('-')) text.remove_prefix(1);
  struct Spelling {
    std::string_view as_written, unit;
  };
  constexpr Spelling spellings[] = {{"mm", "mm"},
                                    {"cm", "cm"},
                                    {"%", "%"},
                                    {"\u043c\u043c", "mm"},
                                    {"\u0441\u043c", "cm"},
                                    {"MM", "mm"},
                                    {"CM", "cm"},
                                    {"\u6beb\u7c73", "mm"},
                                    {"\u5398\u7c73", "cm"},
                                    {"\u516c\u5206", "cm"},
                                    {"Cm", "cm"},
                                    {"Mm", "mm"},
                                    {"\u30df\u30ea", "mm"},
                                    {"\u30bb\u30f3\u30c1", "cm"}};
  for (const auto& [as_written, unit] : spellings) {
    if (!text.starts_with(as_written)) continue;
    const std::string_view behind = text.substr(as_written.size());
    const bool ends = behind.empty() || !is_letter(behind.front()) || !is_letter(as_written.back());
    if (ends) return unit;
  }
  return {};
}

std::string plain_number(std::string text) {
  std::replace(text.begin(), text.end(), ',', '.');
  const auto value = parse_double(text);  // not of a date: it has two points
  return value ? shortest(*value) : text;
}

std::string listed(const std::vector<std::string>& numbers) {
  return numbers.empty() ? "none" : joined(numbers);
}

}  // namespace

// All languages of the table.
class SourceLanguages {
 public:
  static const std::vector<SourceLanguage>& all() {
    static const std::vector<SourceLanguage> languages = parse();
    return languages;
  }

 private:
  static std::vector<SourceLanguage> parse() {
    std::vector<SourceLanguage> out;
    std::string_view rest = embedded_source_words();
    while (!rest.empty()) {
      const std::size_t end = std::min(rest.find('\n'), rest.size());
      const std::string_view line = trimmed(rest.substr(0, end));
      rest.remove_prefix(std::min(end + 1, rest.size()));
      if (line.empty() || line.starts_with('#')) continue;
      if (line.starts_with('[')) {
        out.emplace_back();
        out.back().code_ = std::string(trimmed(line, "[]"));
        out.back().is_unspaced_ = out.back().code_ == "zh" || out.back().code_ == "ja";
        continue;
      }
      const std::size_t colon = line.find(':');
      FIDUCIAL_ASSERT(colon != std::string_view::npos && !out.empty());
      const std::string_view kind = line.substr(0, colon);
      SourceLanguage& language = out.back();
      auto& words = kind == "left"    ? language.left_
                    : kind == "right" ? language.right_
                    : kind == "both"  ? language.both_
                                      : language.denied_;
      for (const std::string& word : words_of(line.substr(colon + 1)))
        words.push_back(language.is_unspaced_ ? word : needle_of(word));
    }
    out.emplace_back();
    out.back().code_ = "other";
    return out;
  }
};

std::vector<std::string> SourceLanguage::codes() {
  std::vector<std::string> out;
  for (const SourceLanguage& each : SourceLanguages::all()) {
    if (each.code_ != "en") out.push_back(each.code_);
  }
  return out;
}

Result<const SourceLanguage*> SourceLanguage::find(std::string_view code) {
  for (const SourceLanguage& each : SourceLanguages::all()) {
    if (each.code_ == code) return &each;
  }
  return no_such_name("language", code, codes(), "--language: ");
}

bool SourceLanguage::any_of(const std::vector<std::string>& words, const std::string& text) const {
  return std::any_of(words.begin(), words.end(),
                     [&text](const std::string& word) { return text.find(word) != std::string::npos; });
}

SourceLanguage::Said SourceLanguage::said_in(std::string_view text) const {
  const std::string words = is_unspaced_ ? std::string(text) : spaced_words(text);
  const bool both = any_of(both_, words);
  return {.left = both || any_of(left_, words),
          .right = both || any_of(right_, words),
          .denies = any_of(denied_, words)};
}

std::vector<std::string> numbers_in(std::string_view text) {
  std::vector<std::string> out;
  std::size_t at = 0;
  while (at < text.size()) {
    if (!is_digit(text[at])) {
      ++at;
      continue;
    }
    std::size_t end = at;
    while (end < text.size() && (is_digit(text[end]) || ((text[end] == '.' || text[end] == ',') &&
                                                         end + 1 < text.size() && is_digit(text[end + 1]))))
      ++end;
    out.push_back(plain_number(std::string(text.substr(at, end - at))) +
                  std::string(unit_at(text.substr(end))));
    at = end;
  }
  std::sort(out.begin(), out.end());
  return out;
}

ItemStatus check_translated(const SourceLanguage& language, std::string_view source,
                            std::string_view english) {
  const std::string quoted = "\"" + std::string(trimmed(source)) + "\"";
  if (is_blank(english)) return rejected("lost_sentence", quoted + " has no translation");
  const std::vector<std::string> before = numbers_in(source);
  const std::vector<std::string> now = numbers_in(english);
  if (before != now)
    return rejected("changed_number", quoted + ": " + listed(before) + " became " + listed(now));
  if (!language.is_known()) return {};
  const SourceLanguage* in_english = *SourceLanguage::find("en");
  const SourceLanguage::Said said = language.said_in(source);
  const SourceLanguage::Said written = in_english->said_in(english);
  if (said.left != written.left || said.right != written.right)
    return rejected("changed_side", quoted + ": \"" + std::string(trimmed(english)) + "\" names other sides");
  if (said.denies != written.denies)
    return rejected("changed_polarity",
                    quoted + (said.denies ? " denies something, and \"" : " denies nothing, and \"") +
                        std::string(trimmed(english)) + "\" does" + (said.denies ? " not" : ""));
  return {};
}

}  // namespace fiducial
