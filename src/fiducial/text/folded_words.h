#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace fiducial {

// A word as a search sees it, with its place in the text.
struct FoldedWord {
  std::string text;           // folded; "?" for a question mark, which is a word of its own
  std::string_view verbatim;  // into the text
  std::size_t begin = 0;      // in characters (code points), half-open
  std::size_t end = 0;
  std::size_t sentence = 0;  // words of one sentence have the same number
};

// The words of a text in UTF-8 without case, accents and possessive s, and with British spellings made
// American, so that "Crohn's oedema" finds "crohn edema". Sentences end at full stops, exclamation marks,
// semicolons and line ends.
std::vector<FoldedWord> folded_words(std::string_view text);

}  // namespace fiducial
