#include "fiducial/metrics/metric.h"

namespace fiducial {

std::vector<MaskMetric> iou_metrics() {
  const MetricContract contract{
      .id = "iou",
      .title = "Intersection over union",
      .scorer = Scorer::strict,
      .group = "dice",
      .better = Direction::higher,
      .range = "[0, 1]",
      .empty = {.both = "1", .reference = "0", .prediction = "0", .missing = "0", .missing_value = 0},
      .definition = "I / (A + B - I) of all predicted voxels",
      .parameters = "none",
      .valid_for = "binary masks on one grid",
      .citation = "Jaccard 1912, New Phytologist 11(2); Fiducial strict rules",
      .less_is_never_better = true};
  return {{contract, [](const FindingPair& pair) -> Score {
             const Overlap& found = pair.overlap();
             const std::int64_t either = found.reference + found.prediction - found.both;
             return either == 0 ? 1.0 : static_cast<double>(found.both) / static_cast<double>(either);
           }}};
}

}  // namespace fiducial
