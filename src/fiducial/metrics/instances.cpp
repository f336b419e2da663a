#include "fiducial/metrics/metric.h"

namespace fiducial {

namespace {

InstanceCounts found(const FindingPair& pair) { return counts(pair.matching(MatchRule::exact)); }

MetricContract shared_contract() {
  return {.scorer = Scorer::strict,
          .group = "instances",
          .better = Direction::higher,
          .range = "[0, 1]",
          .parameters = "connectivity 18, min_voxels 10, max_components 50, match at Dice 0.2",
          .valid_for = "exhaustively annotated findings with entity ids",
          .citation = "ReXGroundingCT, arXiv 2507.22030; Fiducial strict rules",
          .has_ceiling = true};
}

MetricContract count_contract(const char* id, const char* title, Direction better, EmptyRule empty) {
  MetricContract out = shared_contract();
  out.id = id;
  out.title = title;
  out.better = better;
  out.range = "[0, inf)";
  out.unit = "count";
  out.definition = "greedy one-to-one matching of reference entities and predicted components by exact Dice";
  out.empty = std::move(empty);
  return out;
}

MetricContract less_is_never_better(MetricContract out) {
  out.less_is_never_better = true;
  return out;
}

MetricContract share_contract(const char* id, const char* title, const char* definition, EmptyRule empty) {
  MetricContract out = shared_contract();
  out.id = id;
  out.title = title;
  out.definition = definition;
  out.empty = std::move(empty);
  return out;
}

}  // namespace

std::vector<MaskMetric> instances_metrics() {
  return {
      {count_contract("instance_tp_strict18", "Matched entities", Direction::higher,
                      {"0", "0", "0", "0", {}}),
       [](const FindingPair& pair) -> Score { return static_cast<double>(found(pair).true_positives); }},
      {counting_false_positives(count_contract("instance_fp_strict18", "Unmatched components",
                                               Direction::lower,
                                               {"0", "number of components", "0", "0", {}})),
       [](const FindingPair& pair) -> Score { return static_cast<double>(found(pair).false_positives); }},
      {count_contract("instance_fn_strict18", "Unmatched entities", Direction::lower,
                      {"0", "0", "number of entities", "number of entities", {}}),
       [](const FindingPair& pair) -> Score { return static_cast<double>(found(pair).false_negatives); }},
      {counting_false_positives(share_contract("instance_precision_strict18", "Instance precision",
                                               "TP / (TP + FP)",
                                               {"undefined", "0", "undefined", "undefined", {}})),
       [](const FindingPair& pair) -> Score {
         const InstanceCounts n = found(pair);
         return ratio(n.true_positives, n.true_positives + n.false_positives, "no predicted instance");
       }},
      {less_is_never_better(share_contract("instance_recall_strict18", "Instance recall", "TP / (TP + FN)",
                                           {"undefined", "undefined", "0", "0", {}})),
       [](const FindingPair& pair) -> Score {
         const InstanceCounts n = found(pair);
         return ratio(n.true_positives, n.true_positives + n.false_negatives, "no reference entity");
       }},
      {counting_false_positives(share_contract("instance_f1_strict18", "Instance F1",
                                               "2 TP / (2 TP + FP + FN)", {"undefined", "0", "0", "0", {}})),
       [](const FindingPair& pair) -> Score {
         const InstanceCounts n = found(pair);
         return ratio(2 * n.true_positives, 2 * n.true_positives + n.false_positives + n.false_negatives,
                      "neither entity nor component");
       }},
      {share_contract("matched_dice_strict18", "Dice of matched entities",
                      "mean exact Dice over the matched pairs",
                      {"undefined", "undefined", "undefined", "undefined", {}}),
       [](const FindingPair& pair) -> Score {
         const auto mean = mean_dice(pair.matching(MatchRule::exact));
         return mean ? Score(*mean) : Score::undefined("no matched entity");
       }},
  };
}

}  // namespace fiducial
