#pragma once

#include <set>
#include <string>

#include "fiducial/base/file.h"
#include "fiducial/base/json.h"

namespace fiducial {

// Policy: what the terms.json of a dataset's folder says about leaving this machine. Without that file all
// may.
//
//   {"egress": "forbidden", "private_splits": ["test"], "flagged_cases": ["Case number 68"], "reason": "..."}
Outcome allow_split_by_terms(const Path& dataset, const std::string& split);
// names are those of cases and volumes.
Outcome allow_cases_by_terms(const Path& dataset, const std::set<std::string>& names);

// What a table, or the folder of one, must keep to: the terms.json beside it, and "egress" of the manifest of
// the stage that wrote it, so that terms outlive what is derived. An empty object where there are none.
Result<Json> terms_beside(const Path& input);
// Of two terms the stricter ones.
Json stricter_terms(const Json& one, const Json& other);
// Why a case may not leave this machine; "" where it may.
std::string reason_to_stay(const Json& terms, const std::string& name);

}  // namespace fiducial
