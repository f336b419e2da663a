#pragma once

#include "fiducial/base/json.h"
#include "fiducial/tasks/finding_masks/case_score.h"
#include "fiducial/tasks/finding_masks/mask_plan.h"

namespace fiducial {

// A scored case as one JSON value, and back: nothing is lost, every number to the last bit.
Json to_json(const CaseScore& scored);
Result<CaseScore> parse_case_score(const Json& value);
// The same for a case that was scored by a plan: one that has other scores than the plan asks for is refused.
Result<CaseScore> parse_case_score(const Json& value, const MaskPlan& plan);

}  // namespace fiducial
