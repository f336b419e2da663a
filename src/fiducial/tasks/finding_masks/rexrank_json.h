#pragma once

#include <vector>

#include "fiducial/base/json.h"
#include "fiducial/tasks/finding_masks/case_score.h"
#include "fiducial/tasks/finding_masks/mask_plan.h"

namespace fiducial {

// The published scorer's own file, key for key. Predictions it would have stopped at are error entries. Null
// where its Dice is not planned.
Json rexrank_json(const MaskPlan& plan, const std::vector<CaseScore>& cases);

}  // namespace fiducial
