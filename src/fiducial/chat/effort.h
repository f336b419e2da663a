#pragma once

#include <string>

#include "fiducial/base/result.h"

namespace fiducial {

// Refuses an effort that a model of the table (data/efforts.txt) does not take, saying which it does. Nothing
// is ever replaced: a run at another effort is another run.
Outcome check_effort(const std::string& model, const std::string& effort);

}  // namespace fiducial
