#pragma once

#include "fiducial/base/json.h"
#include "fiducial/eval/plan.h"

namespace fiducial {

// The plan that to_json wrote, from a plan.json or a shard. Refuses a plan this version would not carry out
// the same way: unknown metrics, other metric versions, parameters it does not know.
Result<ScorePlan> parse_score_plan(const Json& value);

}  // namespace fiducial
