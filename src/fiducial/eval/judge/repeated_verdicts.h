#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>

#include "fiducial/eval/agreement/judge_records.h"

namespace fiducial {

// Shares that scores are made of, by the slot they have there: "step_factuality", "critical_step_factuality",
// "critical_error_rate", "error_share_reasoning" ... Only cases of `like` are counted, so that two askings
// are about the same ones.
std::map<std::string, double> verdict_shares(const JudgeRecords& records, const JudgeRecords& like);

// Steps of which both say whether they are factual, and how often they say otherwise.
struct ChangedVerdicts {
  std::int64_t steps = 0;
  std::int64_t changed = 0;
};
ChangedVerdicts changed_verdicts(const JudgeRecords& first, const JudgeRecords& second);

}  // namespace fiducial
