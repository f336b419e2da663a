#include <utility>

#include "fiducial/metrics/text_metric.h"

namespace fiducial {

#define FIDUCIAL_TEXT_METRIC(file) std::vector<TextMetric> file##_metrics();
#include "fiducial/metrics/all_text_metrics.def"
#undef FIDUCIAL_TEXT_METRIC

namespace {

void append(std::vector<TextMetric>& all, std::vector<TextMetric> more) {
  for (TextMetric& metric : more) all.push_back(std::move(metric));
}

std::vector<TextMetric> make_text_metrics() {
  std::vector<TextMetric> out;
#define FIDUCIAL_TEXT_METRIC(file) append(out, file##_metrics());
#include "fiducial/metrics/all_text_metrics.def"
#undef FIDUCIAL_TEXT_METRIC
  return out;
}

}  // namespace

const std::vector<TextMetric>& all_text_metrics() {
  static const std::vector<TextMetric> all = make_text_metrics();
  return all;
}

}  // namespace fiducial
