#pragma once

#include "fiducial/base/json.h"
#include "fiducial/tasks/finding_masks/case_score.h"

namespace fiducial {

// A scored case as one JSON value, and back: nothing is lost, every number to the last bit.
Json to_json(const CaseScore& scored);
Result<CaseScore> parse_case_score(const Json& value);

}  // namespace fiducial
