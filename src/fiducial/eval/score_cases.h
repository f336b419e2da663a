#pragma once

#include <vector>

#include "fiducial/base/executor.h"
#include "fiducial/base/progress.h"
#include "fiducial/eval/case_journal.h"
#include "fiducial/eval/case_scorer.h"

namespace fiducial {

// Scores cases on the executor's threads; the result is in the order of the cases.
//
// With a journal, cases it holds are taken from it if neither of their files has changed since, and every
// case is added to it as soon as it is scored. When a stop is requested, no further case is started and the
// error has the code `interrupted`.
Result<std::vector<CaseScore>> score_cases(const CaseScorer& scorer, const std::vector<GroundedCase>& cases,
                                           CaseJournal* journal, const Executor& executor,
                                           Progress& progress);

}  // namespace fiducial
