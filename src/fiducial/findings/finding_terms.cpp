#include "fiducial/findings/finding_terms.h"

#include <algorithm>
#include <array>

#include "fiducial/base/ascii.h"
#include "fiducial/text/words.h"

namespace fiducial {

namespace {

constexpr std::size_t most_words =
    6;  // that lead up to a finding: "a few small nonspecific calcified nodules"

// A word of a report, and the word of a term that says the same.
struct Descriptor {
  std::string_view word;
  std::string_view says;
};

constexpr Descriptor numbers[] = {{"multiple", "multiple"}, {"many", "multiple"}, {"numerous", "multiple"},
                                  {"several", "several"},   {"few", "a few"},     {"two", "two"},
                                  {"three", "three"}};
constexpr Descriptor sizes[] = {{"millimetric", "subcentimeter"},
                                {"milimetric", "subcentimeter"},
                                {"millimeter", "subcentimeter"},
                                {"subcentimeter", "subcentimeter"},
                                {"subcentimetric", "subcentimeter"},
                                {"tiny", "small"},
                                {"small", "small"},
                                {"large", "large"},
                                {"giant", "large"},
                                {"huge", "large"},
                                {"massive", "large"}};
constexpr Descriptor distributions[] = {{"diffuse", "diffuse"},       {"widespread", "diffuse"},
                                        {"scattered", "scattered"},   {"sporadic", "scattered"},
                                        {"patchy", "patchy"},         {"focal", "focal"},
                                        {"multifocal", "multifocal"}, {"peripheral", "peripheral"},
                                        {"central", "central"},       {"symmetrical", "symmetrical"}};

// Findings that can be counted, and more than one of them.
constexpr Descriptor plurals[] = {{"nodule", "nodules"},
                                  {"ground glass nodule", "ground glass nodules"},
                                  {"mass", "masses"},
                                  {"lesion", "lesions"},
                                  {"hypodense lesion", "hypodense lesions"},
                                  {"cyst", "cysts"},
                                  {"renal cyst", "renal cysts"},
                                  {"air cyst", "air cysts"},
                                  {"bulla", "bullae"},
                                  {"lymph node", "lymph nodes"},
                                  {"intrapulmonary node", "intrapulmonary nodes"},
                                  {"fracture", "fractures"},
                                  {"calcification", "calcifications"},
                                  {"granuloma", "granulomas"},
                                  {"stone", "stones"},
                                  {"metastasis", "metastases"},
                                  {"hemangioma", "hemangiomas"},
                                  {"cavity", "cavities"},
                                  {"diverticulum", "diverticula"},
                                  {"accessory spleen", "accessory spleens"}};

template <std::size_t Size>
std::string_view said_of(const Descriptor (&table)[Size], std::string_view word) {
  const auto found = std::find_if(std::begin(table), std::end(table),
                                  [word](const Descriptor& each) { return each.word == word; });
  return found == std::end(table) ? std::string_view{} : found->says;
}

// The last words before a finding, in lower case; a comma or another sign ends them.
std::array<std::string, most_words> leading_words(std::string_view before) {
  std::array<std::string, most_words> words;
  std::size_t end = before.size();
  for (std::size_t count = 0; count < most_words && end > 0;) {
    const char last = before[end - 1];
    if (last == ' ' || last == '-') {
      --end;
      continue;
    }
    if (!is_letter(last) && !is_digit(last)) break;
    std::size_t begin = end;
    while (begin > 0 && (is_letter(before[begin - 1]) || is_digit(before[begin - 1]))) --begin;
    words[count++] = ascii_lower(before.substr(begin, end - begin));
    end = begin;
  }
  return words;
}

}  // namespace

FindingTerms finding_terms(std::string_view name, std::string_view before) {
  std::string_view number;
  std::string_view size;
  std::string_view distribution;
  for (const std::string& word : leading_words(before)) {
    if (number.empty()) number = said_of(numbers, word);
    if (size.empty()) size = said_of(sizes, word);
    if (distribution.empty()) distribution = said_of(distributions, word);
  }
  std::string said;
  for (const std::string_view word : {size, distribution}) {
    if (!word.empty()) said.append(word) += ' ';
  }
  FindingTerms terms;
  if (!said.empty()) terms.one = said + std::string(name);
  const std::string_view plural = said_of(plurals, name);
  if (!number.empty() && !plural.empty()) terms.many = std::string(number) + " " + said + std::string(plural);
  return terms;
}

bool speaks_of_many(std::string_view term) {
  return std::any_of(std::begin(numbers), std::end(numbers), [term](const Descriptor& each) {
    return term.size() > each.says.size() && term.starts_with(each.says) && term[each.says.size()] == ' ';
  });
}

}  // namespace fiducial
