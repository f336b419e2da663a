#pragma once

#include <set>
#include <string>

#include "fiducial/base/file.h"

namespace fiducial {

// Policy: what the terms.json of a dataset's folder says about leaving this machine. Without that file all
// may.
//
//   {"egress": "forbidden", "private_splits": ["test"], "flagged_cases": ["Case number 68"], "reason": "..."}
Outcome allow_split_by_terms(const Path& dataset, const std::string& split);
// names are those of cases and volumes.
Outcome allow_cases_by_terms(const Path& dataset, const std::set<std::string>& names);

}  // namespace fiducial
