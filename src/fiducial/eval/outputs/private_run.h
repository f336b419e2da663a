#pragma once

#include "fiducial/eval/run/aggregate.h"
#include "fiducial/eval/run/score_run.h"

namespace fiducial {

// What stands where a name is not told.
inline constexpr const char* withheld = "withheld";

// Digits behind the point of what is told in private.
inline constexpr int private_decimals = 3;

// A run that tells nothing about single cases or few patients, with what may be told of its values.
//
// Names, hashes of the dataset, rows, details, baselines and groups made from answers go; remarks are counted
// by their code. A value of fewer than `min_group` patients is withheld, and so is every group from which,
// together with the others and the whole, one of so few patients could be worked out (see told_groups): of
// the units that each value is of, and of means over categories where a category is as small. How many units
// of a group were missing or left out is not told, as leaving one case out would tell its group. What is told
// is rounded: a submission that is empty but for one case measures that case alone.
ScoreRun private_run(const ScoreRun& run, int min_group, PooledRun& pooled);

}  // namespace fiducial
