#include "fiducial/metrics/surface_contract.h"

namespace fiducial {

namespace {

// Calls value(counts) where instances can be compared by distance.
template <typename Value>
Score counted(const FindingPair& pair, Value value) {
  if (!pair.context().spacing_mm) return Score::undefined(no_spacing);
  if (!pair.context().focal) return Score::undefined("no category that says focal or not");
  return value(pair.distance_counts());
}

MetricContract distance_contract_of(const char* id, const char* title, const char* definition,
                                    EmptyRule empty) {
  MetricContract out = distance_contract();
  out.id = id;
  out.title = title;
  out.group = "distance";
  out.better = Direction::higher;
  out.range = "[0, 1]";
  out.unit = "1";
  out.empty = std::move(empty);
  out.definition = definition;
  out.parameters =
      "centroids for focal categories, pooled ASSD of edge voxels for the others; match at 2 x largest "
      "spacing, "
      "nearest pair first; connectivity 18, min_voxels 10, max_components 50";
  out.valid_for = "exhaustively annotated findings with entity ids and a category, on a CT of known spacing";
  out.has_ceiling = true;
  out.citation = "announced for the ReXGroundingCT challenge 2026; Fiducial's definition";
  return out;
}

MetricContract distance_count_contract(const char* id, const char* title, Direction better, EmptyRule empty) {
  MetricContract out = distance_contract_of(
      id, title, "greedy one-to-one matching of reference entities and predicted components by distance",
      std::move(empty));
  out.better = better;
  out.range = "[0, inf)";
  out.unit = "count";
  return out;
}

MetricContract recall_contract() {
  MetricContract out = distance_contract_of("distance_recall_strict18", "Distance recall", "TP / (TP + FN)",
                                            {"undefined", "undefined", "0", "0", {}});
  out.less_is_never_better = true;
  return out;
}

}  // namespace

std::vector<MaskMetric> distance_instances_metrics() {
  return {
      {distance_count_contract("distance_tp_strict18", "Entities matched by distance", Direction::higher,
                               {"0", "0", "0", "0", {}}),
       [](const FindingPair& pair) {
         return counted(pair, [](const auto& n) -> Score { return static_cast<double>(n.true_positives); });
       }},
      {counting_false_positives(distance_count_contract("distance_fp_strict18",
                                                        "Components unmatched by distance", Direction::lower,
                                                        {"0", "number of components", "0", "0", {}})),
       [](const FindingPair& pair) {
         return counted(pair, [](const auto& n) -> Score { return static_cast<double>(n.false_positives); });
       }},
      {distance_count_contract("distance_fn_strict18", "Entities unmatched by distance", Direction::lower,
                               {"0", "0", "number of entities", "number of entities", {}}),
       [](const FindingPair& pair) {
         return counted(pair, [](const auto& n) -> Score { return static_cast<double>(n.false_negatives); });
       }},
      {counting_false_positives(distance_contract_of("distance_precision_strict18", "Distance precision",
                                                     "TP / (TP + FP)",
                                                     {"undefined", "0", "undefined", "undefined", {}})),
       [](const FindingPair& pair) {
         return counted(pair, [](const InstanceCounts& n) {
           return ratio(n.true_positives, n.true_positives + n.false_positives, "no predicted instance");
         });
       }},
      {recall_contract(),
       [](const FindingPair& pair) {
         return counted(pair, [](const InstanceCounts& n) {
           return ratio(n.true_positives, n.true_positives + n.false_negatives, "no reference entity");
         });
       }},
      {counting_false_positives(distance_contract_of("distance_f1_strict18", "Distance F1",
                                                     "2 TP / (2 TP + FP + FN)",
                                                     {"undefined", "0", "0", "0", {}})),
       [](const FindingPair& pair) {
         return counted(pair, [](const InstanceCounts& n) {
           return ratio(2 * n.true_positives, 2 * n.true_positives + n.false_positives + n.false_negatives,
                        "neither entity nor component");
         });
       }}};
}

}  // namespace fiducial
