#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "fiducial/metrics/contract.h"
#include "fiducial/metrics/score.h"
#include "fiducial/metrics/text_pairs.h"

namespace fiducial {

// A metric of predicted texts against their references.
struct TextMetric {
  MetricContract contract;
  std::string slot;  // the name under which a table shows it: "rouge_1", "bleu_4"; variants share it
  Score (*score)(const TextPairs& pairs);
};

// Every text metric, in the order of all_text_metrics.def.
const std::vector<TextMetric>& all_text_metrics();
const TextMetric* find_text_metric(std::string_view id);

}  // namespace fiducial
