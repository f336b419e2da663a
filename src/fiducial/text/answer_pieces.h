#pragma once

#include <array>
#include <string>
#include <string_view>
#include <vector>

#include "fiducial/text/answer_tokens.h"

namespace fiducial {

// The letters of options, in their order.
inline constexpr std::string_view answer_letters = "ABCDE";
// A letter as options are named: a capital.
char option_letter(char c);

// A text as a list of folded words.
using WordList = std::vector<std::string>;
WordList folded_list(std::string_view text);

// A token with the word that it was.
struct AnswerPiece {
  AnswerToken token;
  std::string verbatim;
  WordList folded;  // the word as option texts are compared
};

// The words and marks of a reply; the last one ends a sentence. Letters and texts of options are not found
// yet.
std::vector<AnswerPiece> answer_pieces(std::string_view reply, const std::array<std::string, 5>& options);

}  // namespace fiducial
