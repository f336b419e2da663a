#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "fiducial/metrics/contract.h"
#include "fiducial/metrics/score.h"
#include "fiducial/metrics/text_pairs.h"

namespace fiducial {

// A metric of predicted texts against their references: a value for every pair, or one for all of them
// together.
struct TextMetric {
  MetricContract contract;
  std::string slot;  // the name under which a table shows it: "rouge_1", "bleu_4"; variants share it
  std::vector<double> (*values)(const TextPairs& pairs) = nullptr;  // one a pair; their mean is the score
  Score (*together)(const TextPairs& pairs) = nullptr;              // where there are no values
  int corpus_order = 0;  // of `together`: smoothed BLEU of words by 13a, of orders up to this
  bool needs_synonyms = false;
  bool weighs_words = false;  // by how rare they are in the references of a corpus
  // Ids of the tasks that show it; unset: every task that has texts.
  std::optional<std::vector<std::string>> tasks = std::nullopt;

  // Undefined where it needs synonyms and the pairs have none.
  Score score(const TextPairs& pairs) const;
};

// Every text metric, in the order of all_text_metrics.def.
const std::vector<TextMetric>& all_text_metrics();
const TextMetric* find_text_metric(std::string_view id);

// Those that a task shows: first what every text has, then what needs synonyms, then what only all texts
// together have.
std::vector<const TextMetric*> text_metrics_of(std::string_view task);
// Their groups, each once.
std::vector<std::string> text_groups_of(std::string_view task);

}  // namespace fiducial
