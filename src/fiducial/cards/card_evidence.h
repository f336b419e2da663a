#pragma once

#include <cstdint>
#include <initializer_list>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "fiducial/cards/card_draft.h"
#include "fiducial/datasets/card_facts.h"
#include "fiducial/datasets/lint_report.h"
#include "fiducial/datasets/volume_metadata.h"

namespace fiducial {

// What facts, checks and metadata brought to light beside the fields they filled; risks are drawn from it.
struct CardEvidence {
  std::vector<std::string> limitations;      // a sentence each
  std::vector<std::string> baselines;        // likewise
  std::vector<std::string> volumes;          // names by which metadata knows the cases
  std::map<std::string, std::string> risks;  // rule of data/risks.txt, and what made it fire
};

// The fields of a dataset's own facts; gives what else they brought to light.
CardEvidence fill_from_facts(const CardFacts& facts, CardDraft& draft);

// Validation and limitations, from what a check found.
void fill_from_check(const LintReport& report, CardDraft& draft, CardEvidence& evidence);

// Sexes and ages of the volumes, where the metadata has them.
void fill_demographics(const VolumeMetadata& metadata, CardDraft& draft, CardEvidence& evidence);

// Metrics, calculation and interpretation, from the contracts of these ids.
void fill_metrics(const std::vector<std::string>& ids, CardDraft& draft);

// Atlas risks and their categories, by the rules that fired.
void fill_risks(const CardEvidence& evidence, CardDraft& draft);

}  // namespace fiducial
