#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>

#include "fiducial/base/json.h"

namespace fiducial {

// How the letter of an answer was found, from the surest to the weakest, or why there is none.
enum class AnswerRule {
  letter,
  json,
  statement,
  boxed,
  first_line,
  option_text,
  elimination,
  lone_letter,
  ambiguous,  // several options are named and none is committed to
  refused,    // the reply says that it cannot or will not answer
  none,       // nothing that could be an answer
};
inline constexpr std::size_t answer_rules = 8;  // those that find a letter

std::string_view to_string(AnswerRule rule);

// Whether a rule counts for the accuracy of plain answers: a letter, JSON or a statement.
bool is_strict(AnswerRule rule);

struct ExtractedAnswer {
  std::optional<char> letter;  // A to E
  AnswerRule rule = AnswerRule::none;

  friend bool operator==(const ExtractedAnswer&, const ExtractedAnswer&) = default;
};

// The letter that a cleaned reply commits itself to, as a careful reader finds it:
//   letter       nothing but a letter, in any case, brackets or emphasis, perhaps with its option's text;
//   json         the member "answer" of a JSON object, or a list of one element;
//   statement    "the answer is B", "I choose B", "B is correct", "the findings suggest B": the last one;
//   boxed        the last \boxed{B};
//   first_line   a sentence of nothing but the letter, as a first line is: "B. Because ...";
//   option_text  any of these by an option's text instead of its letter, or the only text that is named;
//   elimination  the other four are rejected;
//   lone_letter  the only letter that stands alone and is not rejected.
// docs/formats/answers.md shows what is understood. Where two options have one text, a reply that gives it
// means the first of them if `first_of_equal`, and is ambiguous otherwise.
ExtractedAnswer extract_answer(std::string_view cleaned, const std::array<std::string, 5>& options,
                               bool first_of_equal = false);

}  // namespace fiducial
