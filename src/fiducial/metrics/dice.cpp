#include "fiducial/metrics/dice_formula.h"
#include "fiducial/metrics/metric.h"

namespace fiducial {

std::vector<MaskMetric> dice_metrics() {
  MetricContract raw{
      .id = "dice",
      .title = "Dice",
      .scorer = Scorer::strict,
      .group = "dice",
      .better = Direction::higher,
      .range = "[0, 1]",
      .empty = {.both = "1", .reference = "0", .prediction = "0", .missing = "0", .missing_value = 0},
      .definition = "2I / (A + B) of all predicted voxels, without epsilon",
      .parameters = "none",
      .valid_for = "binary masks on one grid",
      .citation = "Dice 1945, Ecology 26(3); Fiducial strict rules",
      .less_is_never_better = true};
  MetricContract filtered = raw;
  filtered.id = "dice_filtered";
  filtered.title = "Dice of kept components";
  filtered.has_ceiling = true;
  filtered.definition = "2I / (A + B) after small components are dropped and only the largest are kept";
  filtered.parameters = "connectivity 18, min_voxels 10, max_components 50 unless the plan says otherwise";
  return {{raw, [](const FindingPair& pair) -> Score { return exact_dice(pair.overlap()); }},
          {filtered, [](const FindingPair& pair) -> Score { return exact_dice(pair.filtered_overlap()); }}};
}

}  // namespace fiducial
