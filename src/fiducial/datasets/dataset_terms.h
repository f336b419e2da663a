#pragma once

#include <string>

#include "fiducial/base/file.h"

namespace fiducial {

// Policy: what a dataset's terms.json says about its cases leaving this machine; the empty split stands for
// the dataset as a whole. Without the file they may.
Outcome allow_by_terms(const Path& dataset, const std::string& split);

}  // namespace fiducial
