#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "fiducial/findings/lexicon.h"

namespace fiducial {

// What a word or a sign does to the sentence it stands in.
enum class WordRole : std::uint8_t {
  word,
  number,
  join,         // a hyphen or a slash
  conjunction,  // a comma, "and", "or"
  open,         // of parentheses
  close,
  question,  // ends a clause that is only asked
  pause,     // a colon, a cell of a table, "....": ends a clause inside parentheses too
  stop,      // ends a sentence: . ; ! and the signs that begin an item of a list
  other,
};

struct ReportWord {
  std::uint32_t begin = 0;  // in bytes of the text
  std::uint32_t end = 0;
  WordId id = unknown_word;
  WordRole role = WordRole::word;

  std::uint32_t size() const { return end - begin; }
};

// The words and signs of a report into a list that is overwritten. The text has fewer than 2^32 bytes; bytes
// that are not ASCII belong to words, except bullets, quotes and dashes.
void read_words(std::string_view text, const Lexicon& lexicon, std::vector<ReportWord>& words);

}  // namespace fiducial
