#pragma once

#include <optional>
#include <string>
#include <vector>

#include "fiducial/datasets/lint_report.h"

namespace fiducial::radgenome {

// Which columns of a table of questions of any origin stand for what.
struct QuestionColumns {
  std::string question;
  std::string answer;
  std::string image;    // what is asked about; empty where no column says it
  std::string patient;  // empty: told by the name of the image
};

// Those that are asked for by name, the others by their usual names. Nothing where questions or answers have
// no column; refuses a name that no column has.
Result<std::optional<QuestionColumns>> find_question_columns(const std::vector<std::string>& names,
                                                             const LintRequest& request);

// Finds questions that are repeated or answered both yes and no, and how far answers can be guessed without
// the image.
Result<LintReport> lint_questions(const Path& path, const QuestionColumns& columns);

}  // namespace fiducial::radgenome
