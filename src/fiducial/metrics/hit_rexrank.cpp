#include "fiducial/metrics/dice_formula.h"
#include "fiducial/metrics/metric.h"

namespace fiducial {

std::vector<MaskMetric> hit_rexrank_metrics() {
  MetricContract filtered{
      .id = "hit10_rexrank_filtered",
      .title = "Hit (ReXrank, full mode)",
      .scorer = Scorer::official,
      .group = "hit",
      .better = Direction::higher,
      .range = "{0, 1}",
      .empty = {.both = "1", .reference = "0", .prediction = "0", .missing = "left out of every mean"},
      .definition = "1 where dice_rexrank_filtered is at least 0.1 in double",
      .parameters = "threshold 0.1, and those of dice_rexrank_filtered",
      .valid_for = "ReXGroundingCT masks read as uint8",
      .citation = "rexrank_eval.py of the ReXGroundingCT release, full mode"};
  MetricContract raw = filtered;
  filtered.has_ceiling = true;
  raw.id = "hit10_rexrank_raw";
  raw.title = "Hit (ReXrank, global only)";
  raw.definition = "1 where dice_rexrank_raw is at least 0.1 in double";
  raw.parameters = "threshold 0.1, and those of dice_rexrank_raw";
  raw.citation = "rexrank_eval.py of the ReXGroundingCT release, --global_only";
  return {{filtered,
           [](const FindingPair& pair) -> Score {
             return rexrank_dice(pair.filtered_overlap()) >= 0.1 ? 1.0 : 0.0;
           }},
          {raw,
           [](const FindingPair& pair) -> Score { return rexrank_dice(pair.overlap()) >= 0.1 ? 1.0 : 0.0; }}};
}

}  // namespace fiducial
