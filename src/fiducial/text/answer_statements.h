#pragma once

#include <string>
#include <vector>

#include "fiducial/text/answer_ties.h"

namespace fiducial {

// A place where a reply commits itself.
struct AnswerStatement {
  Commitment strength = Commitment::bare;
  std::string letters;   // several where it names several
  bool is_text = false;  // by the option's text
  bool is_boxed = false;
  bool is_in_first_line = false;
};

// What a reply says about the options.
struct AnswerReading {
  std::vector<AnswerStatement> statements;  // in the order of the reply
  std::string named;                        // every option that is named and not rejected, once
  std::string named_by_text;                // those of them that are named by their texts only
  std::string rejected;                     // every option that is rejected, once
  std::string asked;                        // of a question that nothing has answered yet
  bool refuses = false;                     // it says that it cannot or will not answer
  bool denies_all = false;                  // it says that no option is right, or names a letter beyond E
  bool is_letter_only = false;              // nothing but one letter, perhaps with its option's text
};

AnswerReading read_statements(const std::vector<AnswerToken>& tokens);

}  // namespace fiducial
