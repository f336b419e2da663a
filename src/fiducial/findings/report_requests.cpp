#include "fiducial/findings/report_requests.h"

#include <algorithm>
#include <array>
#include <initializer_list>
#include <iterator>

#include "fiducial/base/ascii.h"

namespace fiducial {

namespace {

using RequestPhrase = std::initializer_list<std::string_view>;

bool reads(std::string_view text, std::string_view small) {
  return std::equal(text.begin(), text.end(), small.begin(), small.end(), [](char c, char wanted) {
    return (is_capital(c) ? static_cast<char>(c - 'A' + 'a') : c) == wanted;
  });
}

bool reads_phrase(const WrittenWords& words, std::size_t at, const RequestPhrase& phrase) {
  if (words.size() - at < phrase.size()) return false;
  return std::all_of(phrase.begin(), phrase.end(),
                     [&](std::string_view small) { return reads(words[at++], small); });
}

// These ask wherever they stand, those only where a sentence begins, perhaps with "please".
const RequestPhrase request_anywhere[] = {
    {"to", "exclude"},         {"to", "rule", "out"}, {"exclusion", "of"},   {"evaluate", "for"},
    {"evaluation", "for"},     {"assess", "for"},     {"assessment", "for"}, {"please", "exclude"},
    {"please", "rule", "out"}, {"r", "/", "o"},       {"question", "of"}};
const RequestPhrase request_at_first[] = {
    {"exclude"}, {"rule", "out"}, {"query"}, {"check", "for"}, {"look", "for"}};

const RequestPhrase request_headings[] = {{"clinical", "question"},
                                          {"question"},
                                          {"request"},
                                          {"indication"},
                                          {"indications"},
                                          {"clinical", "indication"},
                                          {"reason", "for", "exam"},
                                          {"reason", "for", "study"},
                                          {"reason", "for", "examination"},
                                          {"clinical", "information"},
                                          {"clinical", "history"},
                                          {"clinical", "data"}};

// A capital and its small letter have one number; what else has it is told apart by reading it.
constexpr std::size_t letter_numbers = 32;
std::size_t letter_number(char c) { return static_cast<unsigned char>(c) % letter_numbers; }

// The lengths of the words that requests begin with, a bit each, by their first letter: a look passes over
// most words.
using LengthsByLetter = std::array<std::uint32_t, letter_numbers>;

bool may_begin_request(std::string_view word) {
  static const LengthsByLetter lengths = [] {
    LengthsByLetter out{};
    const auto note = [&out](const RequestPhrase& phrase) {
      const std::string_view first = *phrase.begin();
      out[letter_number(first.front())] |= std::uint32_t{1} << first.size();
    };
    std::for_each(std::begin(request_anywhere), std::end(request_anywhere), note);
    std::for_each(std::begin(request_at_first), std::end(request_at_first), note);
    return out;
  }();
  return !word.empty() && word.size() < 32 && (lengths[letter_number(word.front())] >> word.size() & 1) != 0;
}

}  // namespace

std::optional<std::size_t> begin_of_request(const WrittenWords& words) {
  if (words.size() == 0) return std::nullopt;
  if (may_begin_request(words[0])) {
    for (const RequestPhrase& phrase : request_at_first) {
      if (reads_phrase(words, 0, phrase)) return phrase.size();
    }
  }
  for (std::size_t at = 0; at + 1 < words.size(); ++at) {
    if (!may_begin_request(words[at])) continue;
    for (const RequestPhrase& phrase : request_anywhere) {
      if (reads_phrase(words, at, phrase)) return at + phrase.size();
    }
  }
  return std::nullopt;
}

bool is_request_heading(const WrittenWords& words) {
  return std::any_of(std::begin(request_headings), std::end(request_headings),
                     [&words](const RequestPhrase& heading) {
                       return heading.size() == words.size() && reads_phrase(words, 0, heading);
                     });
}

bool ends_not_applicable(const WrittenWords& words) {
  const std::size_t size = words.size();
  if (size < 3) return false;
  const std::string_view last = words[size - 1];
  if (reads(last, "applicable")) return reads(words[size - 2], "not");
  return size > 3 && reads(last, "a") && reads(words[size - 2], "/") && reads(words[size - 3], "n");
}

}  // namespace fiducial
