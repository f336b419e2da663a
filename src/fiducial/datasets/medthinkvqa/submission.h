#pragma once

#include "fiducial/base/file.h"
#include "fiducial/datasets/lint_report.h"
#include "fiducial/datasets/medthinkvqa/published_row.h"

namespace fiducial::medthinkvqa {

// Which answers are expected: those to all cases of a split.
struct ExpectedAnswers {
  std::string split;
  PublishedRows rows;
  std::size_t max_line_bytes = 0;
};

// What came of checking a file of answers. The facts are absent where the file could not be opened.
struct CheckedAnswers {
  std::optional<SubmissionFacts> facts;
  LintProblems problems;
};

// Holds a JSONL file of answers against the published format: one object a case, with the published fields
// and a prediction. Labels are ignored whatever they say. Findings are in the order of lines, then of missing
// cases.
CheckedAnswers check_answers(const Path& path, const ExpectedAnswers& expected);
// The same of a file that is yet to be written.
CheckedAnswers check_answers(const std::string& name, const std::string& text,
                             const ExpectedAnswers& expected);

}  // namespace fiducial::medthinkvqa
