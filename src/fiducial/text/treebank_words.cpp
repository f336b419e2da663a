#include "fiducial/text/treebank_words.h"

#include <algorithm>
#include <array>
#include <utility>

#include "fiducial/base/ascii.h"
#include "fiducial/text/unicode.h"
#include "fiducial/text/words.h"

namespace fiducial {

namespace {

bool is_treebank_word(char c) { return is_digit(c) || is_small(c) || c == '_' || is_wide(c); }
bool is_one_of(char c, std::string_view set) { return set.find(c) != std::string_view::npos; }

constexpr std::array<std::string_view, 12> abbreviations{"e.g.", "i.e.", "vs.", "dr.",  "mr.",     "mrs.",
                                                         "fig.", "no.",  "st.", "etc.", "approx.", "cf."};

bool is_abbreviation(std::string_view word) {
  return std::find(abbreviations.begin(), abbreviations.end(), word) != abbreviations.end();
}

// Where the sentence that starts the text ends: past its last mark, or at the text's end.
std::size_t sentence_end(std::string_view original, std::string_view lower) {
  std::size_t word = 0;
  std::size_t after = 0;  // the marks that i stands among; found once, as there may be very many
  for (std::size_t i = 0; i < lower.size(); ++i) {
    if (is_space(lower[i])) word = i + 1;
    if (!is_one_of(lower[i], ".!?")) continue;
    after = std::max(after, i + 1);
    while (after < lower.size() && is_one_of(lower[after], ".!?)]}\"'")) ++after;
    if (after >= lower.size() || !is_space(lower[after])) continue;
    if (lower[i] == '.' && is_abbreviation(lower.substr(word, after - word))) continue;
    std::size_t next = after;
    while (next < lower.size() && is_space(lower[next])) ++next;
    if (next < original.size() && original[next] >= 'a' && original[next] <= 'z' && lower[i] == '.') continue;
    return after;
  }
  return lower.size();
}

// Multi-byte quotation marks and dashes that stand alone.
std::size_t wide_mark_length(std::string_view text) {
  constexpr std::array<std::string_view, 11> marks{"«", "»", "“", "”", "„", "‘", "’", "‒", "–", "—", "―"};
  for (const std::string_view mark : marks) {
    if (text.starts_with(mark)) return mark.size();
  }
  return 0;
}

std::string_view right_trimmed(std::string_view text) {
  while (!text.empty() && is_space(text.back())) text.remove_suffix(1);
  return text;
}

// The full stop that ends the sentence, if it stands alone before closing marks.
std::size_t final_stop(std::string_view sentence) {
  std::size_t at = sentence.size();
  while (at > 0 && (is_one_of(sentence[at - 1], ")]}>\"' "))) --at;
  const bool single = at >= 2 && sentence[at - 1] == '.' && sentence[at - 2] != '.';
  return single ? at - 1 : std::string_view::npos;
}

// Spaces around everything that stands alone, apart from apostrophes.
std::string treebank_punctuation_spaced(std::string_view sentence) {
  const std::size_t stop = final_stop(sentence);
  std::string out = " ";
  const auto alone = [&out](std::string_view mark) { out.append(" ").append(mark).append(" "); };
  for (std::size_t i = 0; i < sentence.size();) {
    const std::string_view rest = sentence.substr(i);
    std::size_t length = wide_mark_length(rest);
    if (rest.starts_with("''") || rest.starts_with("``") || rest.starts_with("--")) length = 2;
    if (rest.starts_with("..")) length = std::min(rest.find_first_not_of('.'), rest.size());
    if (is_one_of(rest[0], ";@#$%&?!*()[]{}<>\"`")) length = std::max<std::size_t>(length, 1);
    if (i == stop) length = 1;
    if (is_one_of(rest[0], ",:") && (rest.size() == 1 || !is_digit(rest[1]))) length = 1;
    if (length > 0) {
      // Both kinds of double quotation mark become one word.
      alone(rest[0] == '"' ? "''" : rest.substr(0, length));
    } else {
      out.push_back(rest[0]);
    }
    i += std::max<std::size_t>(length, 1);
  }
  return out + " ";
}

constexpr std::array<std::string_view, 8> clitics{"n't", "'ll", "'re", "'ve", "'s", "'m", "'d", "'"};

constexpr std::array<std::pair<std::string_view, std::size_t>, 8> contractions{{{"cannot", 3},
                                                                                {"gimme", 3},
                                                                                {"gonna", 3},
                                                                                {"gotta", 3},
                                                                                {"lemme", 3},
                                                                                {"wanna", 3},
                                                                                {"'tis", 2},
                                                                                {"'twas", 2}}};

void append_word(std::vector<std::string>& out, std::string_view word) {
  for (const auto& [whole, cut] : contractions) {
    if (word != whole) continue;
    out.emplace_back(word.substr(0, cut));
    out.emplace_back(word.substr(cut));
    return;
  }
  // A quotation mark before a word stands alone; one that begins a clitic belongs to it.
  const bool is_clitic = std::find(clitics.begin(), clitics.end(), word) != clitics.end();
  if (word.size() > 1 && word[0] == '\'' && is_treebank_word(word[1]) && !is_clitic) {
    out.emplace_back("'");
    word.remove_prefix(1);
  }
  for (const std::string_view clitic : clitics) {
    if (word.size() <= clitic.size() || !word.ends_with(clitic)) continue;
    if (word[word.size() - clitic.size() - 1] == '\'') continue;
    out.emplace_back(word.substr(0, word.size() - clitic.size()));
    out.emplace_back(clitic);
    return;
  }
  out.emplace_back(word);
}

}  // namespace

std::vector<std::string> treebank_words(std::string_view text) {
  const std::string lower = ascii_lower(text);
  std::vector<std::string> out;
  std::size_t begin = 0;
  while (begin < text.size()) {
    const std::string_view rest = std::string_view(lower).substr(begin);
    const std::size_t end = sentence_end(text.substr(begin), rest);
    const std::string spaced = treebank_punctuation_spaced(right_trimmed(rest.substr(0, end)));
    for (const std::string_view word : white_space_words(spaced)) append_word(out, word);
    begin += end;
  }
  for (std::string& word : out) {
    if (std::any_of(word.begin(), word.end(), is_wide)) word = lower_cased(word);
  }
  return out;
}

}  // namespace fiducial
