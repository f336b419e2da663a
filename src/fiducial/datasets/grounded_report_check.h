#pragma once

#include <set>
#include <string>

#include "fiducial/datasets/lint_report.h"
#include "fiducial/datasets/prediction_files.h"

namespace fiducial {

// Whether what was handed in are reports whose sentences say where they look.
bool has_grounded_reports(const PredictionFiles& files);

// What came of checking them.
struct CheckedReports {
  SubmissionFacts facts;
  LintProblems problems;
};

// Holds grounded reports against the cases of a split: cases that are missing, unknown or twice there, empty
// texts, channels without a mask. Of masks the headers alone are read.
CheckedReports check_grounded_reports(const PredictionFiles& files, const std::string& split,
                                      const std::set<std::string>& cases);

}  // namespace fiducial
