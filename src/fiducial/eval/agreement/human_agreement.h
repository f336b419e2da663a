#pragma once

#include <array>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "fiducial/eval/agreement/rating_table.h"
#include "fiducial/eval/inputs/record_file.h"
#include "fiducial/metrics/contract.h"

namespace fiducial {

// A kind of error that both people and a judge may name.
struct JudgedErrorLabel {
  std::string_view slot;
  std::string_view label;
};
inline constexpr std::array<JudgedErrorLabel, 4> judged_error_labels = {
    {{"reasoning", "Reasoning Err"},
     {"image_understanding", "Image Understanding Err"},
     {"clinical_scenario", "Clinical Scenario Err"},
     {"medical_knowledge", "Medical Knowledge Err"}}};

// How far people and a judge agree about the steps of explanations.
struct HumanAgreement {
  Ratings pairs;  // human, judge: 1 factual, 0 not
  // Beside the pairs: 1 critical, 0 not, where both say; 1 that kind of error, 0 not, where both call the
  // step false.
  Ratings critical;
  std::array<Ratings, judged_error_labels.size()> errors;
  std::vector<std::size_t> cases;  // beside the pairs: the case of each, from 0
  std::int64_t rows = 0;
  std::int64_t unmatched_rows = 0;                  // of people, for which the judge has no record
  std::int64_t unread_labels = 0;                   // of people or the judge, that are neither yes nor no
  std::int64_t critical_steps = 0;                  // of the pairs
  std::map<std::string, std::int64_t> error_types;  // of the pairs, as people say
  std::map<std::string, std::int64_t> critical_error_types;
};

// What people say (columns title, clinical_history, stepN, human_factualN, and perhaps human_criticalN and
// human_error_typesN) beside the judge's records (docs/formats/verdicts.md), joined by title and history; a
// record without a history is joined by its title. By official rules labels written 1.0 and 0.0 are unknown.
Result<HumanAgreement> human_agreement(const Path& human, const Path& judge, Scorer scorer);

// The kinds of error that a cell names: parts between ; , / | by the first word they hold, sorted, each once.
std::vector<std::string> normalised_error_types(std::string_view cell);

// Schema fiducial.step_agreement/1.
Json human_agreement_json(const HumanAgreement& agreement, const AgreementOptions& options);

}  // namespace fiducial
