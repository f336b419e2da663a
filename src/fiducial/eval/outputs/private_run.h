#pragma once

#include "fiducial/eval/run/aggregate.h"
#include "fiducial/eval/run/score_run.h"

namespace fiducial {

// What stands where a name is not told.
inline constexpr const char* withheld = "withheld";

// A run that tells nothing about single cases or few patients, with what may be told of its values.
//
// Names, hashes of the dataset, rows and details go; remarks are counted by their code. A value of fewer than
// `min_group` patients is withheld, and so is every group from which, together with the others and the whole,
// one of so few patients could be worked out (see told_groups).
ScoreRun private_run(const ScoreRun& run, int min_group, PooledRun& pooled);

}  // namespace fiducial
