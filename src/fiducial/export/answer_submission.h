#pragma once

#include <string>

#include "fiducial/base/file.h"
#include "fiducial/base/result.h"
#include "fiducial/datasets/diagnosis_dataset.h"
#include "fiducial/datasets/lint_report.h"

namespace fiducial {

// A JSONL file of answers in the form that MedThinkVQA takes, and what a check of it found.
struct AnswerSubmission {
  std::string text;
  LintReport report;
};

// One line a case: every published field as it is, the letter that the reply commits itself to, and the
// rationale and steps where there are some. A reply without a letter stays as it is, for the check to refuse.
Result<AnswerSubmission> answer_submission(const DiagnosisSplit& split, const Path& dataset,
                                           const Path& predictions, const std::string& name);

}  // namespace fiducial
