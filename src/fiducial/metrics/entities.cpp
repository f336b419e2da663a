#include <numeric>

#include "fiducial/metrics/metric.h"

namespace fiducial {

namespace {

MetricContract entity_contract(const char* id, const char* title, const char* definition, EmptyRule empty) {
  return {.id = id,
          .title = title,
          .scorer = Scorer::strict,
          .group = "instances",
          .better = Direction::higher,
          .range = "[0, 1]",
          .empty = std::move(empty),
          .definition = definition,
          .parameters =
              "connectivity 18, found at Dice 0.2; a component counts for one cluster of touching entities, "
              "its excess for every entity it helps to find; unmatched components below 10 voxels are one "
              "false positive for every 10 voxels of them",
          .valid_for = "exhaustively annotated findings with entity ids",
          .citation = "Fiducial strict rules; the matching threshold of ReXGroundingCT, arXiv 2507.22030"};
}

MetricContract entity_count(const char* id, const char* title, Direction better, EmptyRule empty) {
  MetricContract out =
      entity_contract(id, title, "entities found and components that found none", std::move(empty));
  out.better = better;
  out.range = "[0, inf)";
  out.unit = "count";
  return out;
}

MetricContract never_rewarding_silence(MetricContract out) {
  out.less_is_never_better = true;
  return out;
}

Score mean_entity_dice(const FindingPair& pair) {
  const std::vector<double>& dice = pair.entities().dice;
  if (dice.empty()) return Score::undefined("no matched entity");
  return std::accumulate(dice.begin(), dice.end(), 0.0) / static_cast<double>(dice.size());
}

}  // namespace

std::vector<MaskMetric> entities_metrics() {
  return {
      {entity_count("instance_tp_entity18", "Entities found", Direction::higher, {"0", "0", "0", "0", {}}),
       [](const FindingPair& pair) -> Score {
         return static_cast<double>(pair.entity_counts().true_positives);
       }},
      {counting_false_positives(entity_count("instance_fp_entity18", "Components that found no entity",
                                             Direction::lower, {"0", "number of components", "0", "0", {}})),
       [](const FindingPair& pair) -> Score {
         return static_cast<double>(pair.entity_counts().false_positives);
       }},
      {entity_count("instance_fn_entity18", "Entities not found", Direction::lower,
                    {"0", "0", "number of entities", "number of entities", {}}),
       [](const FindingPair& pair) -> Score {
         return static_cast<double>(pair.entity_counts().false_negatives);
       }},
      {counting_false_positives(entity_contract("instance_precision_entity18", "Entity precision",
                                                "TP / (TP + FP)",
                                                {"undefined", "0", "undefined", "undefined", {}})),
       [](const FindingPair& pair) -> Score {
         const InstanceCounts& n = pair.entity_counts();
         return ratio(n.true_positives, n.true_positives + n.false_positives, "no predicted instance");
       }},
      {never_rewarding_silence(entity_contract("instance_recall_entity18", "Entity recall", "TP / (TP + FN)",
                                               {"undefined", "undefined", "0", "0", {}})),
       [](const FindingPair& pair) -> Score {
         const InstanceCounts& n = pair.entity_counts();
         return ratio(n.true_positives, n.true_positives + n.false_negatives, "no reference entity");
       }},
      {counting_false_positives(entity_contract("instance_f1_entity18", "Entity F1",
                                                "2 TP / (2 TP + FP + FN)", {"undefined", "0", "0", "0", {}})),
       [](const FindingPair& pair) -> Score {
         const InstanceCounts& n = pair.entity_counts();
         return ratio(2 * n.true_positives, 2 * n.true_positives + n.false_positives + n.false_negatives,
                      "neither entity nor component");
       }},
      {entity_contract("matched_dice_entity18", "Dice of entities found",
                       "mean Dice of the entities that were found",
                       {"undefined", "undefined", "undefined", "undefined", {}}),
       mean_entity_dice},
  };
}

}  // namespace fiducial
