#pragma once

#include "fiducial/eval/score.h"

namespace fiducial::python {

// The output with a last look, before the folder appears, at whether the call was given up: then nothing is
// left behind.
ScoreOutput unless_given_up(ScoreOutput output);

}  // namespace fiducial::python
