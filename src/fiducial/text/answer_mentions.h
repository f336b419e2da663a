#pragma once

#include <cstddef>
#include <span>
#include <string>

#include "fiducial/text/answer_tokens.h"

namespace fiducial {

// The tokens of one sentence of a reply.
using AnswerSentence = std::span<const AnswerToken>;

inline constexpr std::size_t word_reach = 12;      // how far a word governs a mention, in tokens
inline constexpr std::size_t sentence_reach = 80;  // how far a sentence is held together

// Mentions that stand together as one value: "B", "A or C", "A, B and D".
struct MentionGroup {
  std::size_t begin = 0;
  std::size_t end = 0;  // behind the last mention
  std::string letters;
  std::string first;  // the letters of its first mention
  bool is_text = false;
  bool has_words = false;  // joined by "and" or "or", not by commas alone
  char first_join = 0;     // what follows its first mention: ',' or a word
};

inline bool is_mark(const AnswerToken& token, char mark) { return token.mark == mark; }
inline bool is_bracket(const AnswerToken& token) { return token.mark == '(' || token.mark == ')'; }

// Adds the letters that are not there yet.
void add_letters(std::string& to, const std::string& letters);

// Small letters, which may be words, count where a letter is expected only.
bool counts_as_mention(AnswerSentence tokens, std::size_t at);
// The same for one that stands behind another.
bool counts_joined(AnswerSentence tokens, std::size_t at);

// The mentions that stand together from here on.
MentionGroup group_at(AnswerSentence tokens, std::size_t at);

// "Between A and B, B"
bool chooses_between(AnswerSentence tokens, std::size_t at);

}  // namespace fiducial
