#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>

#include "fiducial/base/json.h"

namespace fiducial {

// How the letter of an answer was found, from the surest to the weakest.
enum class AnswerRule { letter, json, json_inside, answer_line, boxed, last_letter, option_text, none };
inline constexpr std::size_t answer_rules = 8;

// "letter", "a_json", ..., "f_option_text", "none".
std::string_view to_string(AnswerRule rule);

// Whether a rule counts for the strict accuracy: a letter that was given as such, and rules a to c.
bool is_strict(AnswerRule rule);

struct ExtractedAnswer {
  std::optional<char> letter;  // A to E
  AnswerRule rule = AnswerRule::none;

  friend bool operator==(const ExtractedAnswer&, const ExtractedAnswer&) = default;
};

// The letter that a cleaned reply ends on, by the first rule that fits:
//   a. all of it is a JSON object: its member "answer";
//   b. a JSON object in a code fence, else the first balanced {...}: its member "answer";
//   c. the last line that reads "Answer:" and a letter;
//   d. the last \boxed{X};
//   e. the last upper-case A to E that stands alone;
//   f. the only option whose text, without case and punctuation, is the reply or stands in it.
// A letter may stand before the text of its own option. Several letters in the place of one are no answer.
// Where "answer" holds words, rules c to f read those words only.
ExtractedAnswer extract_answer(std::string_view cleaned, const std::array<std::string, 5>& options);

}  // namespace fiducial
