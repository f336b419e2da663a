#pragma once

#include <vector>

#include "fiducial/eval/run/score_run.h"
#include "fiducial/tasks/finding_masks/case_score.h"

namespace fiducial {

// Findings by category, focality, size, number of entities and protocol, numbered as they stand in the cases;
// empty groups are left out.
std::vector<GroupKind> finding_groups(const std::vector<CaseScore>& cases);

}  // namespace fiducial
