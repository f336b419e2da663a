#include "fiducial/findings/report_language.h"

#include <algorithm>
#include <array>
#include <string>

#include "fiducial/base/ascii.h"
#include "fiducial/text/words.h"

namespace fiducial {

namespace {

// Words that reports in English can hardly do without and other languages hardly have.
constexpr std::array<std::string_view, 16> function_words{"the",  "of",   "and",  "with", "are",  "there",
                                                          "both", "this", "from", "has",  "have", "which",
                                                          "not",  "was",  "were", "is"};

// Their like in languages that share medical words with English.
constexpr std::array<std::string_view, 23> foreign_words{
    "de",   "la",    "el",  "los", "las", "des", "les", "du",  "und", "der", "das", "ist",
    "kein", "keine", "het", "een", "di",  "il",  "ve",  "bir", "iki", "yok", "ile"};

// What words of the chest begin with, and of what is seen on its CT.
constexpr std::array<std::string_view, 38> chest_stems{
    "lung",   "pulmon", "pleur",  "thora",  "chest",  "hemithora", "mediast", "heart", "cardi", "pericar",
    "aort",   "coron",  "bronch", "trache", "hilar",  "hilum",     "hila",    "lobe",  "lobar", "emphys",
    "atelec", "rib",    "stern",  "esoph",  "consol", "ground",    "rul",     "rll",   "rml",   "lul",
    "lll",    "diaph",  "hemidi", "pneum",  "apical", "interst",   "axill",   "costo"};
// Of parts of the body that a CT of the chest does not show.
constexpr std::array<std::string_view, 36> other_stems{
    "knee",   "menisc", "patell", "crucia", "tibia",  "femur",     "femor",  "fibul", "ankle",
    "calcan", "elbow",  "wrist",  "carpal", "metata", "metaca",    "brain",  "cereb", "crani",
    "skull",  "orbit",  "pituit", "uter",   "ovar",   "pelvi",     "lumbos", "sacr",  "acetab",
    "mandib", "maxill", "nasal",  "sinus",  "endome", "intracran", "mastoi", "sulci", "periapp"};

template <std::size_t size>
bool begins_with_one(const std::array<std::string_view, size>& stems, std::string_view word) {
  return std::any_of(stems.begin(), stems.end(), [word](std::string_view stem) {
    return stem.front() == word.front() && word.starts_with(stem);
  });
}

// Bytes of bullets, dashes, quotes and wide spaces belong to no word.
bool is_letter_at(std::string_view text, std::size_t at) {
  if (!is_wide(text[at])) return is_letter(text[at]);
  const auto lead = [&](std::size_t back) {
    return at >= back ? static_cast<unsigned char>(text[at - back]) : static_cast<unsigned char>(0);
  };
  return lead(0) != 0xC2 && lead(1) != 0xC2 && lead(0) != 0xE2 && lead(1) != 0xE2 && lead(2) != 0xE2;
}

template <std::size_t size>
std::size_t index_in(const std::array<std::string_view, size>& words, std::string_view word) {
  return static_cast<std::size_t>(std::find(words.begin(), words.end(), word) - words.begin());
}

}  // namespace

void LanguageProbe::add(std::string_view text) {
  for (std::size_t begin = 0; begin < text.size() && !is_settled();) {
    const char c = text[begin];
    has_digit_ = has_digit_ || is_digit(c);
    std::size_t end = begin;
    while (end < text.size() && is_letter_at(text, end)) ++end;
    for (std::size_t at = begin; at < end; ++at) ++(is_wide(text[at]) ? wide_bytes_ : letters_);
    if (end > begin) count_word(text.substr(begin, end - begin));
    begin = std::max(end, begin + 1);
  }
}

void LanguageProbe::note_part(std::string_view lower) {
  if (names_chest_) return;
  names_chest_ = begins_with_one(chest_stems, lower);
  names_other_part_ = names_other_part_ || begins_with_one(other_stems, lower);
}

void LanguageProbe::count_word(std::string_view word) {
  constexpr std::size_t longest = 30;
  ++words_;
  if (word.size() > longest) return;
  const std::string lower = ascii_lower(word);
  note_part(lower);
  const std::size_t english = index_in(function_words, lower);
  if (english < function_words.size()) {
    const std::uint32_t bit = std::uint32_t{1} << english;
    if ((seen_ & bit) == 0) ++english_;
    seen_ |= bit;
  }
  if (index_in(foreign_words, lower) < foreign_words.size()) ++foreign_;
  if (english < function_words.size() || lexicon_.word(lower) != unknown_word) ++known_;
}

Legibility LanguageProbe::result() const {
  constexpr std::size_t fewest_words = 3;
  if (words_ == 0) return has_digit_ ? Legibility::readable : Legibility::empty;
  const bool elsewhere = names_other_part_ && !names_chest_;
  if (english_ >= 2) return elsewhere ? Legibility::no_chest : Legibility::readable;
  if (wide_bytes_ > letters_) return Legibility::not_english;
  const bool strange = foreign_ > english_ || known_ * 3 < words_;
  if (words_ >= fewest_words && strange) return Legibility::not_english;
  return elsewhere ? Legibility::no_chest : Legibility::readable;
}

}  // namespace fiducial
