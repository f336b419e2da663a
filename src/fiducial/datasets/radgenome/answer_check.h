#pragma once

#include "fiducial/datasets/lint_report.h"
#include "fiducial/datasets/prediction_files.h"
#include "fiducial/datasets/radgenome/split.h"

namespace fiducial::radgenome {

// What came of checking answers to tables.
struct CheckedTableAnswers {
  SubmissionFacts facts;
  LintProblems problems;
};

// Holds files of answers against the tables of a split: columns, questions that are missing, unknown or
// answered twice, empty answers. Organ masks in masks/ are not looked at.
CheckedTableAnswers check_table_answers(const PredictionFiles& files, const Split& split);

}  // namespace fiducial::radgenome
