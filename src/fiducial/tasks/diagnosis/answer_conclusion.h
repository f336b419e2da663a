#pragma once

#include "fiducial/tasks/diagnosis/answered_split.h"

namespace fiducial {

// What conclude_answers needs to know of one case.
std::string answer_evidence(const AnsweredSplit& split, std::size_t at, Scorer primary);

// Fills counts, baselines and the agreement of raters from what is known of every case.
Outcome conclude_answers(ScoreRun& run);

}  // namespace fiducial
