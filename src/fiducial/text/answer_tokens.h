#pragma once

#include <array>
#include <string>
#include <string_view>
#include <vector>

#include "fiducial/text/answer_words.h"

namespace fiducial {

// A word, a mark or the mention of an option, as the search for an answer sees it.
struct AnswerToken {
  AnswerRole role = AnswerRole::other;
  std::string word;       // in lower case; of a mark or a mention: empty
  char mark = 0;          // ',' ':' '-' '(' ')', or '.', '?' and '\n' where a sentence ends
  std::string letters;    // of a mention: the option, or several that are given as one ("AB")
  bool is_text = false;   // the mention is the option's text and not its letter
  bool is_small = false;  // a letter that may well be a word ("a"), so it counts only where one is expected
  bool is_boxed = false;  // opens what \boxed{} holds

  bool is_mention() const { return !letters.empty(); }
  bool ends_sentence() const { return mark == '.' || mark == '?' || mark == '\n'; }
};

// A reply as tokens: emphasis, LaTeX, tags and quotation marks are gone, full-width and ornamental letters
// are plain, letters in names ("hepatitis B", "B-cell", "A patient") are words, and texts of options are
// mentions. A letter with the text of its own option is one mention. Of options with equal texts the first is
// meant if `first_of_equal`, otherwise all of them. The last token ends a sentence.
std::vector<AnswerToken> answer_tokens(std::string_view reply, const std::array<std::string, 5>& options,
                                       bool first_of_equal);

}  // namespace fiducial
