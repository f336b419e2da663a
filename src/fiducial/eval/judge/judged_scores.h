#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "fiducial/eval/inputs/record_file.h"
#include "fiducial/eval/judge/certificate.h"

namespace fiducial {

// What a summary tells of the judge that its steps were judged by ("judge"): whether a certificate vouches
// for it, why not, and how far each value moves when it is asked again.
//
// Refuses a certificate of another judge than the verdicts name, and one beside verdicts that name none.
Result<Json> judge_of_verdicts(const std::vector<Record>& verdicts,
                               const std::optional<Certificate>& certificate);

// Why a difference of two systems in a slot that a judge decides says nothing; empty where it does. Summaries
// without a judge have nothing to refuse.
std::string refused_difference(const Json& first_summary, const Json& second_summary, const std::string& slot,
                               double difference);

}  // namespace fiducial
