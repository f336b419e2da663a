#include "fiducial/findings/counted_levels.h"

#include <algorithm>

#include "fiducial/base/ascii.h"
#include "fiducial/base/number_text.h"

namespace fiducial {

namespace {

std::string level_before(std::string_view text, std::size_t at) {
  if (at == 0 || (at > 1 && (is_letter(text[at - 2]) || is_digit(text[at - 2])))) return "";
  switch (text[at - 1]) {
    case 'c':
    case 'C':
      return "c";
    case 't':
    case 'T':
    case 'd':
    case 'D':  // dorsal
      return "t";
    case 'l':
    case 'L':
      return "l";
    default:
      return "";
  }
}

bool is_ordinal(std::string_view text, std::size_t end) {
  constexpr std::string_view endings[] = {"st", "nd", "rd", "th"};
  const std::string_view rest = text.substr(end);
  return std::any_of(std::begin(endings), std::end(endings), [rest](std::string_view ending) {
    return rest.starts_with(ending) && (rest.size() == ending.size() || !is_letter(rest[ending.size()]));
  });
}

// Whether only a dash, and the letters of an ordinal or a level, stand between two numbers.
bool is_dash_between(std::string_view between) {
  const std::size_t dash = between.find('-');
  return dash != std::string_view::npos && between.size() <= 4 &&
         std::all_of(between.begin(), between.end(), [](char c) { return c == '-' || is_letter(c); });
}

}  // namespace

LevelCounter::LevelCounter(const Lexicon& lexicon)
    : rib_(lexicon.required_concept("rib")),
      vertebra_(lexicon.required_concept("vertebra")),
      thoracic_(lexicon.required_concept("thoracic_vertebra")),
      lumbar_(lexicon.required_concept("lumbar_vertebra")),
      cervical_(lexicon.required_concept("cervical_vertebra")) {}

// Ordinals count what the words around them name: ribs, or the vertebrae of a level.
std::string LevelCounter::ordinal_series(const ConceptSet& places) const {
  if (places[rib_]) return "rib";
  if (places[thoracic_]) return "t";
  if (places[lumbar_]) return "l";
  return places[cervical_] ? "c" : "";
}

std::vector<CountedLevel> LevelCounter::levels(const std::vector<NumberMention>& numbers,
                                               const ConceptSet& places, std::string_view text) const {
  constexpr int most = 12;
  const bool counts = places[rib_] || places[vertebra_];
  std::vector<CountedLevel> out;
  std::size_t end_before = std::string_view::npos;
  for (std::size_t i = 0; counts && i < numbers.size(); ++i) {
    const auto value = parse_integer(numbers[i].span.of(text));
    const bool continues = !out.empty() && end_before < numbers[i].span.begin &&
                           is_dash_between(text.substr(end_before, numbers[i].span.begin - end_before));
    end_before = numbers[i].span.end;
    if (!value || *value < 1 || *value > most) continue;
    const int number = static_cast<int>(*value);
    std::string series = level_before(text, numbers[i].span.begin);
    const bool opens_range = i + 1 < numbers.size() && is_ordinal(text, numbers[i + 1].span.end) &&
                             is_dash_between(text.substr(end_before, numbers[i + 1].span.begin - end_before));
    if (series.empty() && (is_ordinal(text, end_before) || opens_range)) series = ordinal_series(places);
    if (series.empty() && continues) series = out.back().series;
    if (series.empty()) continue;
    // "T10-T12" and "2nd-5th": those between as well.
    for (int next = continues && out.back().series == series ? out.back().number + 1 : number; next < number;
         ++next) {
      out.push_back({series, next});
    }
    out.push_back({series, number});
  }
  return out;
}

}  // namespace fiducial
