#pragma once

#include <string>
#include <string_view>

namespace fiducial {

// What a word does in a sentence that answers a multiple-choice question.
enum class AnswerRole {
  other,
  filler,      // may stand between a verb and the letter: "the", "most", "option"
  choice,      // names a letter: "option B", "letter B"
  cue,         // says that an answer follows: "answer", "diagnosis"
  is,          // ties a cue to its letter: "is", ":"
  it,          // what a sentence speaks of: "it is B"
  choose,      // "I choose B"
  maybe,       // "perhaps B"
  points,      // what findings do: "suggests B", "consistent with B"
  support,     // "B is correct", "most likely B"
  reject,      // "A is wrong"
  no,          // "not A"
  denied,      // "A is not", in languages that say so behind the letter
  instead,     // "rather than A"
  exclude,     // "rules out A"
  join,        // "A or B"
  contrast,    // "not A but B"
  hypothesis,  // "if it were A"
  earlier,     // "at first I thought A"
  because,     // reasons follow
  therefore,   // "so, B"; "Actually, D"
  refuse,      // "cannot be determined"
  nothing,     // "none of the above"
  context,     // the letter after it is part of a name: "hepatitis B", "figure C"
  inferior,    // "A is less likely than B"
  only,        // "everything but B"
  ranking,     // "in order of likelihood: B, A, C"
};

// The role of a word in lower case, or of words with one space between them, in any language that we know.
AnswerRole answer_role(std::string_view words);

// The most words that have a role together.
inline constexpr std::size_t longest_answer_phrase = 5;

// The longest beginning of a text that has a role, for scripts without spaces between words; 0 bytes for
// none.
struct RolePrefix {
  AnswerRole role = AnswerRole::other;
  std::size_t bytes = 0;
};
RolePrefix answer_role_prefix(std::string_view text);

// Whether a word after a letter makes both a name ("B cell", "E. coli").
bool follows_letter_in_name(std::string_view word);
bool is_species(std::string_view word);

}  // namespace fiducial
