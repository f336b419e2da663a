#include "fiducial/metrics/dice_formula.h"
#include "fiducial/metrics/metric.h"

namespace fiducial {

namespace {

InstanceCounts found_rexrank(const FindingPair& pair) { return counts(pair.matching(MatchRule::rexrank)); }

// 1 when there is nothing to divide by, as published.
double share(std::int64_t part, std::int64_t whole) {
  return whole == 0 ? 1.0 : static_cast<double>(part) / static_cast<double>(whole);
}

double precision(const InstanceCounts& n) {
  return share(n.true_positives, n.true_positives + n.false_positives);
}

double recall(const InstanceCounts& n) {
  return share(n.true_positives, n.true_positives + n.false_negatives);
}

// What empty masks give, where a prediction has at least one kept component.
struct EmptyCells {
  const char* both;
  const char* reference;
  const char* prediction;
};

MetricContract contract(const char* id, const char* title, const char* definition, EmptyCells cells) {
  return {.id = id,
          .title = title,
          .scorer = Scorer::official,
          .group = "instances",
          .better = Direction::higher,
          .range = "[0, 1]",
          .empty = {.both = cells.both,
                    .reference = cells.reference,
                    .prediction = cells.prediction,
                    .missing = "left out of every mean"},
          .definition = definition,
          .parameters =
              "epsilon 1e-6, connectivity 18, min_voxels 10, max_components 50, match at Dice 0.2 unless the "
              "plan says otherwise",
          .valid_for = "ReXGroundingCT masks read as uint8",
          .citation = "rexrank_eval.py of the ReXGroundingCT release, full mode",
          .has_ceiling = true};
}

MetricContract count(MetricContract out, Direction better) {
  out.range = "[0, inf)";
  out.unit = "count";
  out.better = better;
  return out;
}

}  // namespace

std::vector<MaskMetric> instances_rexrank_metrics() {
  return {
      {count(contract("instance_tp_greedy18", "Matched entities (ReXrank)", "greedy one-to-one matches",
                      {"0", "0", "0"}),
             Direction::higher),
       [](const FindingPair& pair) -> Score {
         return static_cast<double>(found_rexrank(pair).true_positives);
       }},
      {count(contract("instance_fp_greedy18", "Unmatched components (ReXrank)", "components without a match",
                      {"0", "number of components", "0"}),
             Direction::lower),
       [](const FindingPair& pair) -> Score {
         return static_cast<double>(found_rexrank(pair).false_positives);
       }},
      {count(contract("instance_fn_greedy18", "Unmatched entities (ReXrank)", "entities without a match",
                      {"0", "0", "number of entities"}),
             Direction::lower),
       [](const FindingPair& pair) -> Score {
         return static_cast<double>(found_rexrank(pair).false_negatives);
       }},
      {contract("instance_precision_greedy18", "Instance precision (ReXrank)",
                "TP / (TP + FP), 1 without components", {"1", "0", "1"}),
       [](const FindingPair& pair) -> Score { return precision(found_rexrank(pair)); }},
      {contract("instance_recall_greedy18", "Instance recall (ReXrank)", "TP / (TP + FN), 1 without entities",
                {"1", "1", "0"}),
       [](const FindingPair& pair) -> Score { return recall(found_rexrank(pair)); }},
      {contract("instance_f1_greedy18", "Instance F1 (ReXrank)", "2PR / (P + R), 0 when both are 0",
                {"1", "0", "0"}),
       [](const FindingPair& pair) -> Score {
         const InstanceCounts n = found_rexrank(pair);
         return f1_of(precision(n), recall(n));
       }},
      {contract("matched_dice_greedy18", "Dice of matched entities (ReXrank)",
                "mean Dice over the matched pairs", {"undefined", "undefined", "undefined"}),
       [](const FindingPair& pair) -> Score {
         const auto mean = mean_dice(pair.matching(MatchRule::rexrank));
         return mean ? Score(*mean) : Score::undefined("no matched entity");
       }},
  };
}

}  // namespace fiducial
