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

}  // namespace fiducial
