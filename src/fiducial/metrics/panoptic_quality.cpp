#include "fiducial/metrics/dice_formula.h"
#include "fiducial/metrics/metric.h"

namespace fiducial {

namespace {

// What a matching at IoU 0.5 gives.
struct Panoptic {
  InstanceCounts counts;
  double iou_sum = 0;
};

// Dice and IoU order pairs alike, so the greedy order is that of IoU.
PairScore at_iou_half(const Overlap& pair) {
  return {exact_dice(pair), 3 * pair.both >= pair.reference + pair.prediction};
}

Panoptic panoptic(const FindingPair& pair) {
  const OverlapTable& table = pair.instances();
  InstanceMatching matching = match_greedily(table, at_iou_half);
  std::erase_if(matching.unmatched_prediction, [&](std::int32_t label) { return pair.is_ignored(label); });
  Panoptic out{counts(matching), 0};
  for (const auto& shared : table.pairs) {
    const auto& a = table.reference[static_cast<std::size_t>(shared.reference_index)];
    const auto& b = table.prediction[static_cast<std::size_t>(shared.prediction_index)];
    for (const InstanceMatch& match : matching.matches) {
      if (match.reference != a.label || match.prediction != b.label) continue;
      out.iou_sum +=
          static_cast<double>(shared.voxels) / static_cast<double>(a.voxels + b.voxels - shared.voxels);
    }
  }
  return out;
}

Score recognition(const Panoptic& found) {
  const InstanceCounts& n = found.counts;
  const std::int64_t whole = 2 * n.true_positives + n.false_positives + n.false_negatives;
  if (whole == 0) return Score::undefined("neither entity nor component");
  return static_cast<double>(2 * n.true_positives) / static_cast<double>(whole);
}

Score segmentation(const Panoptic& found) {
  if (found.counts.true_positives == 0) return Score::undefined("no matched entity");
  return found.iou_sum / static_cast<double>(found.counts.true_positives);
}

MetricContract contract(const char* id, const char* title, const char* definition) {
  return {.id = id,
          .title = title,
          .scorer = Scorer::strict,
          .group = "panoptic",
          .better = Direction::higher,
          .range = "[0, 1]",
          .empty = {.both = "undefined", .reference = "0", .prediction = "0", .missing = "0"},
          .definition = definition,
          .parameters = "greedy one-to-one at IoU >= 0.5; connectivity 18, min_voxels 10, max_components 50",
          .valid_for = "exhaustively annotated findings with entity ids",
          .citation = "Kirillov et al. 2019; panoptica, naive threshold matching",
          .has_ceiling = true,
          .counts_false_positives = true};
}

}  // namespace

std::vector<MaskMetric> panoptic_quality_metrics() {
  MetricContract sq = contract("sq_greedy_iou50", "Segmentation quality", "mean IoU of the matched pairs");
  sq.counts_false_positives = false;
  sq.empty = {
      .both = "undefined", .reference = "undefined", .prediction = "undefined", .missing = "undefined"};
  return {{contract("pq_greedy_iou50", "Panoptic quality", "SQ times RQ; 0 when nothing matches"),
           [](const FindingPair& pair) -> Score {
             const Panoptic found = panoptic(pair);
             Score rq = recognition(found);
             if (!rq.defined() || found.counts.true_positives == 0) return rq;
             return segmentation(found).value() * rq.value();
           }},
          {sq, [](const FindingPair& pair) { return segmentation(panoptic(pair)); }},
          {contract("rq_greedy_iou50", "Recognition quality", "2 TP / (2 TP + FP + FN)"),
           [](const FindingPair& pair) { return recognition(panoptic(pair)); }}};
}

}  // namespace fiducial
