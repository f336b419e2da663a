#include "fiducial/findings/finding_wording.h"

#include <algorithm>
#include <iterator>
#include <string>

#include "fiducial/base/ascii.h"
#include "fiducial/text/words.h"

namespace fiducial {

namespace {

// "2) " and "2. " before an item of a list.
std::size_t size_of_item_number(std::string_view text) {
  std::size_t at = 0;
  while (at < text.size() && at < 2 && is_digit(text[at])) ++at;
  const bool is_number =
      at > 0 && at + 1 < text.size() && (text[at] == ')' || text[at] == '.') && text[at + 1] == ' ';
  return is_number ? at + 2 : 0;
}

// Words that tie a second finding to a first one.
constexpr std::string_view finding_links[] = {" with ", " accompanied by "};
// Words that may stand before "with" and make it no tie.
constexpr std::string_view not_tied[] = {"consistent", "compatible", "filled",     "correlated",
                                         "accordance", "contact",    "continuity", "connection",
                                         "compared",   "interpreted"};

bool clause_end(char c) { return c == ',' || c == ';' || c == ':' || c == '(' || c == ')'; }

}  // namespace

std::string_view without_opening(std::string_view text) {
  constexpr std::string_view openings[] = {
      ",",     " ",         "and ",        "or ",         "but ", "however ", "while ",
      "also ", "although ", "In addition", "in addition", "-",    "with ",    "accompanied by "};
  for (bool cut = true; cut;) {
    cut = false;
    for (const std::string_view opening : openings) {
      if (!text.starts_with(opening)) continue;
      text.remove_prefix(opening.size());
      cut = true;
    }
    if (const std::size_t number = size_of_item_number(text); number > 0) {
      text.remove_prefix(number);
      cut = true;
    }
  }
  return text;
}

std::string_view without_end(std::string_view text) {
  constexpr std::string_view endings[] = {
      " ",    ",",   " and", " or",   " in",   " which", " are",  " is",   " was", " were", " with", " of",
      " the", " at", " to",  " that", " also", " has",   " have", " been", " be",  " by",   " on",   ":"};
  for (bool cut = true; cut;) {
    cut = false;
    for (const std::string_view ending : endings) {
      if (!text.ends_with(ending)) continue;
      text.remove_suffix(ending.size());
      cut = true;
    }
  }
  return text;
}

bool has_link(std::string_view text, std::size_t begin, std::size_t end) {
  std::size_t at = std::string_view::npos;
  for (const std::string_view link : finding_links) at = std::min(at, text.substr(0, end).find(link, begin));
  if (at == std::string_view::npos) return false;
  const std::string_view before = text.substr(0, at);
  return std::none_of(std::begin(not_tied), std::end(not_tied),
                      [before](std::string_view word) { return before.ends_with(word); });
}

std::size_t last_conjunction(std::string_view text) {
  std::size_t at = 0;
  for (const std::string_view sign : {",", " and ", " or ", " with ", " accompanied by "}) {
    const std::size_t found = text.rfind(sign);
    if (found != std::string_view::npos) at = std::max(at, found);
  }
  return at;
}

bool opens_with_pointer(std::string_view text) {
  constexpr std::size_t longest_opening = 40;
  constexpr std::string_view pointers[] = {
      "it ",          "they ",        "this ",        "these ",       "those ",          "the former ",
      "the latter ",  "the lesion ",  "the lesions ", "the largest ", "the appearance ", "the appearances ",
      "the finding ", "the findings "};
  std::string opening(text.substr(0, longest_opening));
  for (char& c : opening) {
    if (is_capital(c)) c = static_cast<char>(c - 'A' + 'a');
  }
  const bool is_described = opening.starts_with("the ") && (opening.find(" described") != std::string::npos ||
                                                            opening.find(" mentioned") != std::string::npos);
  return is_described || std::any_of(std::begin(pointers), std::end(pointers),
                                     [&opening](std::string_view each) { return opening.starts_with(each); });
}

bool hangs_on_others(std::string_view text) {
  constexpr std::string_view hanging[] = {"which ", "that ", "whose ", "is ",
                                          "are ",   "was ",  "were ",  "where "};
  if (text.starts_with("The largest") || text.starts_with("the largest")) return false;
  return opens_with_pointer(text) ||
         std::any_of(std::begin(hanging), std::end(hanging),
                     [text](std::string_view each) { return text.starts_with(each); });
}

std::size_t begin_of_phrase(std::string_view text, std::size_t noun) {
  constexpr std::string_view bounds[] = {"to",   "of",    "as",   "with", "in",   "by",   "for",    "is",
                                         "are",  "was",   "were", "be",   "a",    "an",   "the",    "gained",
                                         "has",  "have",  "and",  "or",   "that", "show", "shows",  "showed",
                                         "than", "which", "it",   "on",   "at",   "from", "became", "into"};
  std::size_t begin = noun;
  while (begin > 0) {
    const std::size_t end = text.find_last_not_of(' ', begin - 1);
    if (end == std::string_view::npos || clause_end(text[end])) break;
    const std::size_t space = text.find_last_of(' ', end);
    const std::size_t word = space == std::string_view::npos ? 0 : space + 1;
    const std::string_view each = text.substr(word, end + 1 - word);
    if (std::find(std::begin(bounds), std::end(bounds), each) != std::end(bounds)) break;
    begin = word;
  }
  return begin == 0 ? noun : begin;
}

std::string placed_words(std::string_view words, std::string_view place) {
  constexpr std::string_view adjectives[] = {"subpleural", "hilar", "perihilar",
                                             "apical",     "basal", "pulmonary"};
  if (std::find(std::begin(adjectives), std::end(adjectives), place) == std::end(adjectives))
    return std::string(words).append(" in ").append(place);
  std::string out = std::string(place) + " " + std::string(words);
  char& first = out[place.size() + 1];
  if (is_capital(first)) first = static_cast<char>(first - 'A' + 'a');
  return out;
}

std::string without_capitals(std::string_view text) {
  constexpr std::size_t longest_short = 3;
  constexpr std::string_view units_and_links[] = {"CM", "MM",  "THE", "AND", "OR", "OF", "IN",
                                                  "IS", "ARE", "AT",  "ON",  "TO", "BY", "A",
                                                  "AN", "AS",  "FOR", "NO",  "NOT"};
  const bool has_small = std::any_of(text.begin(), text.end(), is_small);
  if (has_small || text.find(' ') == std::string_view::npos) return std::string(text);
  std::string out(text);
  for (std::size_t begin = 0; begin < out.size();) {
    if (!is_letter(out[begin])) {
      ++begin;
      continue;
    }
    std::size_t end = begin;
    while (end < out.size() && is_letter(out[end])) ++end;
    const std::string_view word = text.substr(begin, end - begin);
    const bool is_link =
        std::find(std::begin(units_and_links), std::end(units_and_links), word) != std::end(units_and_links);
    for (std::size_t at = begin + (begin == 0 ? 1 : 0); at < end && (is_link || word.size() > longest_short);
         ++at)
      out[at] = static_cast<char>(out[at] - 'A' + 'a');
    begin = end;
  }
  return out;
}

std::optional<std::size_t> answer_of_entry(std::string_view words) {
  constexpr std::size_t longest_heading = 40;
  const std::size_t sign = std::min({words.find(": "), words.find(" = "), words.find(" - ")});
  if (sign > longest_heading || sign == 0) return std::nullopt;  // too far, or nowhere
  if (words.substr(0, sign).find(',') != std::string_view::npos) return std::nullopt;
  return sign + (words[sign] == ':' ? 2 : 3);
}

namespace {

// "[x] present [ ] absent - 4 mm in the lingula" without its boxes and their words.
std::string_view without_boxes(std::string_view said) {
  while (said.starts_with("[x] ") || said.starts_with("[ ] ") || said.starts_with("[X] ")) {
    const std::size_t end = said.find(' ', 4);
    said.remove_prefix(end == std::string_view::npos ? said.size() : end + 1);
  }
  while (said.starts_with(' ') || said.starts_with('-')) said.remove_prefix(1);
  return said;
}

// "enlarged", "calcified", "mildly enlarged"
bool is_adjective(std::string_view answer) {
  for (std::size_t space = answer.find(' '); space != std::string_view::npos; space = answer.find(' ')) {
    if (!answer.substr(0, space).ends_with("ly")) return false;
    answer.remove_prefix(space + 1);
  }
  return true;
}

}  // namespace

std::string entry_words(std::string_view words, const EntryParts& parts) {
  const std::optional<std::size_t> begin = answer_of_entry(words);
  if (!begin) return std::string(words);
  const std::string heading(words.substr(0, words[*begin - 2] == ':' ? *begin - 2 : *begin - 3));
  std::string_view said = words.substr(*begin);
  std::string answer(without_boxes(said));
  constexpr std::string_view agreeing[] = {"Y",       "y",       "yes", "Yes",     "YES",
                                           "present", "Present", "+",   "positive"};
  if (parts.names) {
    const bool agrees = std::find(std::begin(agreeing), std::end(agreeing), answer) != std::end(agreeing);
    return agrees ? heading : heading + ", " + answer;
  }
  answer = without_capitals(answer);
  if (!parts.is_needed) return answer;
  std::string place = std::any_of(heading.begin(), heading.end(), is_small) ? heading : ascii_lower(heading);
  if (place.size() > 1 && is_capital(place[0]) && !is_capital(place[1]))
    place[0] = static_cast<char>(place[0] - 'A' + 'a');
  if (is_adjective(answer)) return answer + " " + place;
  const bool has_place = answer.find(" in ") != std::string::npos;  // "in the left lobe of the thyroid"
  return answer + (has_place ? " of the " : " in the ") + place;
}

}  // namespace fiducial
