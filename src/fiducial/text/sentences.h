#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

namespace fiducial {

// A stretch of a text, in bytes: [begin, end).
struct TextSpan {
  std::size_t begin = 0;
  std::size_t end = 0;

  std::string_view of(std::string_view text) const { return text.substr(begin, end - begin); }
  std::size_t size() const { return end - begin; }
  friend bool operator==(const TextSpan&, const TextSpan&) = default;
};

// A sentence of a report. The spans of all sentences follow each other without a gap and cover the text, so
// joining them gives the report back byte for byte.
struct Sentence {
  TextSpan span;     // with what stands around the words: white space, bullets, the final period
  TextSpan content;  // the words alone; empty for a stretch of white space and signs
};

// Where a report is cut.
enum class SentenceRule {
  clinical,   // at . ; ! ? before white space or a new sentence, at bullets, at quotes used as bullets, at
              // lists
  published,  // as the sentences of RadGenome-Chest CT are cut: at . and ; after a small letter, a digit or a
              // sign
};

// Never cut: decimals ("9.5 mm"), dates, truncated measurements inside a word ("5x4x5"), and text inside
// parentheses, except after a period or semicolon. A published sentence without a word is joined to the next.
std::vector<Sentence> split_sentences(std::string_view text, SentenceRule rule = SentenceRule::clinical);

}  // namespace fiducial
