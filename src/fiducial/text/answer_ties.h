#pragma once

#include <cstddef>
#include <optional>

#include "fiducial/text/answer_mentions.h"

namespace fiducial {

// How firmly a place of a reply commits itself to an option, from the weakest on.
enum class Commitment {
  bare,       // a sentence of nothing but the option
  guessed,    // "possibly B"
  indicated,  // "the findings suggest B"
  stated,     // "the answer is B", "I choose B", "B is correct"
  final,      // "final answer: B", \boxed{B}, "Actually, B"
};

// What ties a group to an answer before it, if anything does.
std::optional<Commitment> tie_before(AnswerSentence tokens, const MentionGroup& group);

// "Differential diagnosis: 1. B", whose first is the likeliest.
bool leads_differential(AnswerSentence tokens, const MentionGroup& group);

// "Ranked: B, A, C"
bool is_ranked(AnswerSentence tokens, const MentionGroup& group);

// "No, D": the word turns from what was said before, and denies nothing that follows.
bool is_reversal(AnswerSentence tokens, std::size_t at);

}  // namespace fiducial
