#include "fiducial/metrics/metric.h"

namespace fiducial {

#define FIDUCIAL_METRIC(file) std::vector<MaskMetric> file##_metrics();
#include "fiducial/metrics/all_metrics.def"
#undef FIDUCIAL_METRIC

namespace {

void append(std::vector<MaskMetric>& all, std::vector<MaskMetric> more) {
  for (MaskMetric& metric : more) all.push_back(std::move(metric));
}

std::vector<MaskMetric> make_mask_metrics() {
  std::vector<MaskMetric> out;
#define FIDUCIAL_METRIC(file) append(out, file##_metrics());
#include "fiducial/metrics/all_metrics.def"
#undef FIDUCIAL_METRIC
  return out;
}

}  // namespace

const std::vector<MaskMetric>& all_mask_metrics() {
  static const std::vector<MaskMetric> all = make_mask_metrics();
  return all;
}

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
