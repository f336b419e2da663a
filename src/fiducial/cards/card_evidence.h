#pragma once

#include <cstdint>
#include <initializer_list>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "fiducial/cards/card_draft.h"
#include "fiducial/datasets/lint_report.h"
#include "fiducial/datasets/volume_metadata.h"

namespace fiducial {

// What describing a dataset brought to light beside the fields it filled; risks are drawn from it.
struct CardEvidence {
  std::vector<std::string> limitations;      // a sentence each
  std::vector<std::string> baselines;        // likewise
  std::vector<std::string> volumes;          // names by which metadata knows the cases
  std::map<std::string, std::string> risks;  // rule of data/risks.txt, and what made it fire
};

// "12,345": counts as a card shows them.
std::string grouped_count(std::int64_t count);
// "12 scans", "1 scan".
std::string counted(std::int64_t count, std::string_view noun);

// Languages of texts, by the share that holds English function words.
class LanguageGuess {
 public:
  void add(std::string_view text);
  void fill(CardDraft& draft, const std::string& file) const;

 private:
  std::int64_t texts_ = 0;
  std::int64_t english_ = 0;
};

// Validation and limitations, from what a check found.
void fill_from_check(const LintReport& report, CardDraft& draft, CardEvidence& evidence);

// Sexes and ages of the volumes, where the metadata has them.
void fill_demographics(const VolumeMetadata& metadata, CardDraft& draft, CardEvidence& evidence);

// Metrics, calculation and interpretation, from the contracts of these ids.
void fill_metrics(const std::vector<std::string_view>& ids, CardDraft& draft);

// Atlas risks and their categories, by the rules that fired.
void fill_risks(const CardEvidence& evidence, CardDraft& draft);

}  // namespace fiducial
