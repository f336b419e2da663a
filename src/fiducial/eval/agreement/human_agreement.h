#pragma once

#include <array>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "fiducial/eval/agreement/rating_table.h"
#include "fiducial/eval/inputs/record_file.h"
#include "fiducial/metrics/diagnosis_contracts.h"

namespace fiducial {

// Steps that people say something of: how many they call false, and how many of those the judge does, too.
struct StepStratum {
  std::int64_t steps = 0;
  std::int64_t agreed = 0;
  std::int64_t false_steps = 0;
  std::int64_t found_false = 0;
  std::vector<std::size_t> pairs;  // their places among the pairs
};

// How far people and a judge agree about the steps of explanations.
struct HumanAgreement {
  Ratings pairs;  // human, judge: 1 factual, 0 not
  // Beside the pairs: 1 critical, 0 not, where both say; 1 that kind of error, 0 not, where both call the
  // step false.
  Ratings critical;
  std::array<Ratings, std::size(step_error_types)> errors;  // in the order of step_error_types
  std::vector<std::size_t> cases;                           // beside the pairs: the case of each, from 0
  std::int64_t rows = 0;
  std::int64_t unmatched_rows = 0;                  // of people, for which the judge has no record
  std::int64_t unread_labels = 0;                   // of people or the judge, that are neither yes nor no
  std::int64_t critical_steps = 0;                  // of the pairs
  std::map<std::string, std::int64_t> error_types;  // of the pairs, as people say
  std::map<std::string, std::int64_t> critical_error_types;
  std::map<std::string, StepStratum> strata;  // "critical", "not critical", and a kind of error each
};

// What people say (columns title, clinical_history, stepN, human_factualN, and perhaps human_criticalN and
// human_error_typesN) beside the judge's records (docs/formats/verdicts.md), joined by title and history; a
// record without a history is joined by its title. By official rules labels written 1.0 and 0.0 are unknown.
Result<HumanAgreement> human_agreement(const Path& human, const Path& judge, Scorer scorer);

// A value with its interval, where it has them.
Json statistic_json(const Ratings& pairs, const AgreementStatistic& statistic, const AgreementDraws& draws);

// Schema fiducial.step_agreement/1.
Json human_agreement_json(const HumanAgreement& agreement, const AgreementOptions& options);

}  // namespace fiducial
