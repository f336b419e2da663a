#include "fiducial/metrics/metric.h"

namespace fiducial {

std::vector<MaskMetric> hit_metrics() {
  MetricContract hit10{
      .id = "hit10",
      .title = "Hit at Dice 0.1",
      .scorer = Scorer::strict,
      .group = "hit",
      .better = Direction::higher,
      .range = "{0, 1}",
      .empty = {.both = "1", .reference = "0", .prediction = "0", .missing = "0", .missing_value = 0},
      .definition = "1 where Dice of all predicted voxels is at least 1/10, compared in integers",
      .parameters = "threshold 0.1",
      .valid_for = "binary masks on one grid",
      .citation = "ReXGroundingCT, arXiv 2507.22030; Fiducial strict rules",
      .less_is_never_better = true};
  MetricContract hit5 = hit10;
  hit5.id = "hit5";
  hit5.title = "Hit at Dice 0.05";
  hit5.definition = "1 where Dice of all predicted voxels is at least 1/20, compared in integers";
  hit5.parameters = "threshold 0.05";
  hit5.citation = "VoxTell; Fiducial strict rules";
  return {{hit10,
           [](const FindingPair& pair) -> Score {
             const Overlap& found = pair.overlap();
             return 20 * found.both >= found.reference + found.prediction ? 1.0 : 0.0;
           }},
          {hit5, [](const FindingPair& pair) -> Score {
             const Overlap& found = pair.overlap();
             return 40 * found.both >= found.reference + found.prediction ? 1.0 : 0.0;
           }}};
}

}  // namespace fiducial
