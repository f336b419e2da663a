#include "fiducial/metrics/dice_formula.h"
#include "fiducial/metrics/metric.h"

namespace fiducial {

std::vector<MaskMetric> dice_rexrank_metrics() {
  MetricContract filtered{
      .id = "dice_rexrank_filtered",
      .title = "Dice (ReXrank, full mode)",
      .scorer = Scorer::official,
      .group = "dice",
      .better = Direction::higher,
      .range = "(0, 1]",
      .empty = {.both = "1",
                .reference = "1e-6 / (B + 1e-6)",
                .prediction = "1e-6 / (A + 1e-6)",
                .missing = "left out of every mean"},
      .definition =
          "(2I + 1e-6) / (A + B + 1e-6) after components below 10 voxels are dropped and the 50 largest kept",
      .parameters =
          "epsilon 1e-6, connectivity 18, min_voxels 10, max_components 50 unless the plan says otherwise",
      .valid_for = "ReXGroundingCT masks read as uint8",
      .citation = "rexrank_eval.py of the ReXGroundingCT release, full mode"};
  MetricContract raw = filtered;
  filtered.has_ceiling = true;
  raw.id = "dice_rexrank_raw";
  raw.title = "Dice (ReXrank, global only)";
  raw.definition = "(2I + 1e-6) / (A + B + 1e-6) of all predicted voxels";
  raw.parameters = "epsilon 1e-6";
  raw.citation = "rexrank_eval.py of the ReXGroundingCT release, --global_only";
  return {{filtered, [](const FindingPair& pair) -> Score { return rexrank_dice(pair.filtered_overlap()); }},
          {raw, [](const FindingPair& pair) -> Score { return rexrank_dice(pair.overlap()); }}};
}

}  // namespace fiducial
