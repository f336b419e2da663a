#include "fiducial/findings/phrase_pattern.h"

#include <algorithm>

#include "fiducial/base/number_text.h"
#include "fiducial/base/plain_text.h"
#include "fiducial/text/words.h"

namespace fiducial {

namespace {

constexpr std::size_t most_phrases = 4096;

std::string with_single_spaces(std::string_view phrase) {
  std::string out;
  out.reserve(phrase.size());
  while (!phrase.empty()) {
    const std::size_t end = std::min(phrase.find(' '), phrase.size());
    const std::string_view word = trimmed(phrase.substr(0, end));
    if (!word.empty()) out.append(out.empty() ? "" : " ").append(word);
    phrase.remove_prefix(std::min(end + 1, phrase.size()));
  }
  return out;
}

// The innermost bracket that opens last before the first one that closes.
struct Bracket {
  std::size_t begin;
  std::size_t end;
};

Result<Bracket> first_bracket(std::string_view pattern) {
  const std::size_t end = pattern.find_first_of(")}");
  const std::size_t begin = end == std::string_view::npos ? end : pattern.find_last_of("({", end);
  const bool matching = begin != std::string_view::npos && (pattern[begin] == '(') == (pattern[end] == ')');
  if (!matching) return invalid_data("a bracket without its partner");
  return Bracket{begin, end};
}

std::vector<std::string_view> alternatives(std::string_view pattern, const Bracket& bracket) {
  const std::string_view inside = pattern.substr(bracket.begin + 1, bracket.end - bracket.begin - 1);
  if (pattern[bracket.begin] == '(') return {std::string_view(), inside};
  std::vector<std::string_view> found;
  for (std::size_t begin = 0; begin <= inside.size();) {
    const std::size_t end = std::min(inside.find(',', begin), inside.size());
    found.push_back(inside.substr(begin, end - begin));
    begin = end + 1;
  }
  return found;
}

}  // namespace

std::vector<RuleLine> rule_lines(std::string_view text) {
  std::vector<RuleLine> lines;
  std::uint64_t number = 0;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    std::string_view line = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    ++number;
    line = trimmed(line.substr(0, line.find('#')));
    if (!line.empty()) lines.push_back({line, number});
  }
  return lines;
}

std::vector<std::string_view> split_trimmed(std::string_view text, char separator) {
  std::vector<std::string_view> parts;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find(separator), text.size());
    const std::string_view part = trimmed(text.substr(0, end));
    if (!part.empty()) parts.push_back(part);
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return parts;
}

Result<std::vector<std::string>> expanded_pattern(std::string_view pattern) {
  std::string lower = ascii_lower(pattern);
  std::replace(lower.begin(), lower.end(), '-', ' ');
  std::vector<std::string> open{std::move(lower)};
  std::vector<std::string> phrases;
  while (!open.empty()) {
    const std::string current = std::move(open.back());
    open.pop_back();
    if (current.find_first_of("(){}") == std::string::npos) {
      phrases.push_back(with_single_spaces(current));
    } else {
      FIDUCIAL_TRY(const Bracket bracket, first_bracket(current));
      for (const std::string_view option : alternatives(current, bracket)) {
        open.push_back(current.substr(0, bracket.begin) + std::string(option) +
                       current.substr(bracket.end + 1));
      }
    }
    if (phrases.size() + open.size() > most_phrases) {
      return invalid_data("more than " + decimal(most_phrases) + " phrases");
    }
  }
  std::sort(phrases.begin(), phrases.end());
  phrases.erase(std::unique(phrases.begin(), phrases.end()), phrases.end());
  return phrases;
}

}  // namespace fiducial
