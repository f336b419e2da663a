#pragma once

#include "fiducial/workflows/prepared_run.h"

namespace fiducial {

inline constexpr const char* questions_file = "questions.jsonl";

// What was listed, and what could not be.
struct ListedQuestions {
  std::int64_t questions = 0;
  std::int64_t unaskable = 0;  // cases that cannot be asked about; the list says why
};

// Writes every question that can be asked now into the run's folder, a line each, with pictures by the names
// of their files in images/. Where the run has replies to replay, those that the replies leave open.
Result<ListedQuestions> write_questions(const PreparedRun& run);

}  // namespace fiducial
