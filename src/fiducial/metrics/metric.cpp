#include "fiducial/metrics/metric.h"

namespace fiducial {

const MaskMetric* find_mask_metric(std::string_view id) {
  for (const MaskMetric& metric : all_mask_metrics()) {
    if (metric.contract.id == id) return &metric;
  }
  return nullptr;
}

Score score_of(const MaskMetric& metric, const FindingPair& pair) {
  if (metric.contract.counts_false_positives && pair.context().partial)
    return Score::undefined(partial_labels);
  return metric.score(pair);
}

}  // namespace fiducial
