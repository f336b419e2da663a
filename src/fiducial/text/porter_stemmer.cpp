#include "fiducial/text/porter_stemmer.h"

#include <algorithm>
#include <array>
#include <initializer_list>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "fiducial/base/ascii.h"
#include "fiducial/text/unicode.h"

namespace fiducial {

namespace {

bool is_vowel_letter(char c) { return c == 'a' || c == 'e' || c == 'i' || c == 'o' || c == 'u'; }

// "y" is a consonant at the start and after a vowel.
bool is_consonant(std::string_view word, std::size_t i) {
  bool consonant = true;
  for (std::size_t k = 0; k <= i; ++k) {
    if (word[k] == 'y') {
      consonant = k == 0 || !consonant;
    } else {
      consonant = !is_vowel_letter(word[k]);
    }
  }
  return consonant;
}

// How often a run of consonants follows a run of vowels: m of the paper.
int measure(std::string_view stem) {
  int count = 0;
  bool consonant = true;
  bool previous = true;
  for (std::size_t i = 0; i < stem.size(); ++i) {
    consonant = stem[i] == 'y' ? i == 0 || !previous : !is_vowel_letter(stem[i]);
    if (i > 0 && consonant && !previous) ++count;
    previous = consonant;
  }
  return count;
}

bool positive_measure(std::string_view stem) { return measure(stem) > 0; }
bool measure_above_one(std::string_view stem) { return measure(stem) > 1; }

bool has_vowel(std::string_view stem) {
  for (std::size_t i = 0; i < stem.size(); ++i) {
    if (!is_consonant(stem, i)) return true;
  }
  return false;
}

bool ends_in_double_consonant(std::string_view word) {
  return word.size() >= 2 && word[word.size() - 1] == word[word.size() - 2] &&
         is_consonant(word, word.size() - 1);
}

// Consonant, vowel, consonant other than w, x, y; or a word of vowel and consonant.
bool ends_in_short_syllable(std::string_view word) {
  const std::size_t n = word.size();
  if (n == 2) return !is_consonant(word, 0) && is_consonant(word, 1);
  if (n < 3) return false;
  const char last = word[n - 1];
  return is_consonant(word, n - 3) && !is_consonant(word, n - 2) && is_consonant(word, n - 1) &&
         last != 'w' && last != 'x' && last != 'y';
}

std::string with_suffix(std::string_view word, std::string_view suffix, std::string_view by) {
  return std::string(word.substr(0, word.size() - suffix.size())).append(by);
}

struct SuffixRule {
  std::string_view suffix;
  std::string_view by;
};

// The first listed suffix that fits decides, even if the condition on its stem then fails.
std::optional<std::string> first_fit(std::string_view word, std::span<const SuffixRule> rules,
                                     bool (*condition)(std::string_view stem)) {
  for (const SuffixRule& rule : rules) {
    if (!word.ends_with(rule.suffix)) continue;
    const std::string_view stem = word.substr(0, word.size() - rule.suffix.size());
    return condition(stem) ? with_suffix(word, rule.suffix, rule.by) : std::string(word);
  }
  return std::nullopt;
}

std::string plural_removed(std::string_view word) {
  if (word.size() == 4 && word.ends_with("ies")) return with_suffix(word, "ies", "ie");
  if (word.ends_with("sses")) return with_suffix(word, "sses", "ss");
  if (word.ends_with("ies")) return with_suffix(word, "ies", "i");
  if (word.ends_with("ss") || !word.ends_with("s")) return std::string(word);
  return with_suffix(word, "s", "");
}

std::string completed_after_removal(const std::string& stem) {
  if (stem.ends_with("at") || stem.ends_with("bl") || stem.ends_with("iz")) return stem + "e";
  if (ends_in_double_consonant(stem)) {
    const char last = stem.back();
    return last == 'l' || last == 's' || last == 'z' ? stem : stem.substr(0, stem.size() - 1);
  }
  return measure(stem) == 1 && ends_in_short_syllable(stem) ? stem + "e" : stem;
}

std::string participle_removed(std::string_view word) {
  if (word.ends_with("ied")) return with_suffix(word, "ied", word.size() == 4 ? "ie" : "i");
  if (word.ends_with("eed")) {
    return positive_measure(word.substr(0, word.size() - 3)) ? with_suffix(word, "eed", "ee")
                                                             : std::string(word);
  }
  for (const std::string_view suffix : {std::string_view("ed"), std::string_view("ing")}) {
    if (!word.ends_with(suffix)) continue;
    std::string stem = with_suffix(word, suffix, "");
    if (has_vowel(stem)) return completed_after_removal(stem);
  }
  return std::string(word);
}

std::string final_y_changed(std::string_view word) {
  if (!word.ends_with("y")) return std::string(word);
  const std::string_view stem = word.substr(0, word.size() - 1);
  return stem.size() > 1 && is_consonant(stem, stem.size() - 1) ? with_suffix(word, "y", "i")
                                                                : std::string(word);
}

constexpr std::array<SuffixRule, 21> double_suffixes{
    {{"ational", "ate"}, {"tional", "tion"}, {"enci", "ence"}, {"anci", "ance"}, {"izer", "ize"},
     {"bli", "ble"},     {"alli", "al"},     {"entli", "ent"}, {"eli", "e"},     {"ousli", "ous"},
     {"ization", "ize"}, {"ation", "ate"},   {"ator", "ate"},  {"alism", "al"},  {"iveness", "ive"},
     {"fulness", "ful"}, {"ousness", "ous"}, {"aliti", "al"},  {"iviti", "ive"}, {"biliti", "ble"},
     {"fulli", "ful"}}};

std::string double_suffix_reduced(std::string word) {
  while (word.ends_with("alli") && positive_measure(std::string_view(word).substr(0, word.size() - 4))) {
    word = with_suffix(word, "alli", "al");
  }
  if (auto fit = first_fit(word, double_suffixes, positive_measure)) return *fit;
  // NLTK measures what stands before "ogi" together with the "l".
  if (word.ends_with("logi") && positive_measure(std::string_view(word).substr(0, word.size() - 3))) {
    return with_suffix(word, "logi", "log");
  }
  return word;
}

std::string single_suffix_reduced(std::string_view word) {
  constexpr std::array<SuffixRule, 7> rules{{{"icate", "ic"},
                                             {"ative", ""},
                                             {"alize", "al"},
                                             {"iciti", "ic"},
                                             {"ical", "ic"},
                                             {"ful", ""},
                                             {"ness", ""}}};
  return first_fit(word, rules, positive_measure).value_or(std::string(word));
}

bool long_stem_before_ion(std::string_view stem) {
  return measure_above_one(stem) && (stem.back() == 's' || stem.back() == 't');
}

std::string last_suffix_removed(std::string_view word) {
  constexpr std::array<SuffixRule, 11> before_ion{{{"al", ""},
                                                   {"ance", ""},
                                                   {"ence", ""},
                                                   {"er", ""},
                                                   {"ic", ""},
                                                   {"able", ""},
                                                   {"ible", ""},
                                                   {"ant", ""},
                                                   {"ement", ""},
                                                   {"ment", ""},
                                                   {"ent", ""}}};
  constexpr std::array<SuffixRule, 1> ion{{{"ion", ""}}};
  constexpr std::array<SuffixRule, 7> after_ion{
      {{"ou", ""}, {"ism", ""}, {"ate", ""}, {"iti", ""}, {"ous", ""}, {"ive", ""}, {"ize", ""}}};
  if (auto fit = first_fit(word, before_ion, measure_above_one)) return *fit;
  if (auto fit = first_fit(word, ion, long_stem_before_ion)) return *fit;
  return first_fit(word, after_ion, measure_above_one).value_or(std::string(word));
}

std::string final_e_removed(std::string_view word) {
  if (!word.ends_with("e")) return std::string(word);
  const std::string_view stem = word.substr(0, word.size() - 1);
  const int m = measure(stem);
  return m > 1 || (m == 1 && !ends_in_short_syllable(stem)) ? std::string(stem) : std::string(word);
}

std::string final_l_halved(std::string_view word) {
  const std::string_view shorter = word.substr(0, word.size() - 1);
  return word.ends_with("ll") && measure(shorter) > 1 ? std::string(shorter) : std::string(word);
}

std::optional<std::string_view> irregular_stem(std::string_view word) {
  constexpr std::array<std::pair<std::string_view, std::string_view>, 16> forms{{{"sky", "sky"},
                                                                                 {"skies", "sky"},
                                                                                 {"dying", "die"},
                                                                                 {"lying", "lie"},
                                                                                 {"tying", "tie"},
                                                                                 {"news", "news"},
                                                                                 {"innings", "inning"},
                                                                                 {"inning", "inning"},
                                                                                 {"outings", "outing"},
                                                                                 {"outing", "outing"},
                                                                                 {"cannings", "canning"},
                                                                                 {"canning", "canning"},
                                                                                 {"howe", "howe"},
                                                                                 {"proceed", "proceed"},
                                                                                 {"exceed", "exceed"},
                                                                                 {"succeed", "succeed"}}};
  for (const auto& [form, stem] : forms) {
    if (form == word) return stem;
  }
  return std::nullopt;
}

std::string stem_of_bytes(std::string_view word) {
  if (const auto irregular = irregular_stem(word)) return std::string(*irregular);
  if (word.size() <= 2) return std::string(word);
  std::string out = final_y_changed(participle_removed(plural_removed(word)));
  out = last_suffix_removed(single_suffix_reduced(double_suffix_reduced(std::move(out))));
  return final_l_halved(final_e_removed(out));
}

// Lengths count characters, as NLTK's do: each one beyond ASCII, a consonant, is a byte of its own meanwhile.
std::string stem_of_wide(std::string_view word) {
  constexpr std::size_t wide_bytes = 128;
  std::vector<std::string_view> letters;
  std::string narrow;
  for (std::size_t at = 0; at < word.size();) {
    const std::size_t bytes = first_code_point(word.substr(at)).bytes;
    const std::string_view letter = word.substr(at, bytes);
    at += bytes;
    if (!is_wide(letter[0])) {
      narrow += letter[0];
      continue;
    }
    const auto known = std::find(letters.begin(), letters.end(), letter);
    narrow += static_cast<char>(wide_bytes + static_cast<std::size_t>(known - letters.begin()));
    if (known == letters.end()) letters.push_back(letter);
    if (letters.size() > wide_bytes) return std::string(word);
  }
  std::string out;
  for (const char c : stem_of_bytes(narrow)) {
    if (is_wide(c)) {
      out += letters[static_cast<unsigned char>(c) - wide_bytes];
    } else {
      out += c;
    }
  }
  return out;
}

}  // namespace

std::string porter_stem(std::string_view word) {
  return std::any_of(word.begin(), word.end(), is_wide) ? stem_of_wide(word) : stem_of_bytes(word);
}

}  // namespace fiducial
