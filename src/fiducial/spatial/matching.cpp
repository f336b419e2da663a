#include "fiducial/spatial/matching.h"

#include <algorithm>

namespace fiducial {

namespace {

struct Candidate {
  std::int32_t reference_index;
  std::int32_t prediction_index;
  double dice;
};

std::vector<Candidate> candidates(const OverlapTable& table, const ScorePair& score) {
  std::vector<Candidate> out;
  for (const OverlapTable::Pair& pair : table.pairs) {
    const PairScore scored =
        score({table.reference[static_cast<std::size_t>(pair.reference_index)].voxels,
               table.prediction[static_cast<std::size_t>(pair.prediction_index)].voxels, pair.voxels});
    if (scored.enough) out.push_back({pair.reference_index, pair.prediction_index, scored.dice});
  }
  // Pairs come in ascending (reference, prediction), which a stable sort keeps among equals.
  std::stable_sort(out.begin(), out.end(), [](const auto& a, const auto& b) { return a.dice > b.dice; });
  return out;
}

std::vector<std::int32_t> unused(const std::vector<OverlapTable::Label>& labels,
                                 const std::vector<double>& used) {
  std::vector<std::int32_t> out;
  for (std::size_t i = 0; i < labels.size(); ++i) {
    if (used[i] < 0) out.push_back(labels[i].label);
  }
  return out;
}

}  // namespace

InstanceMatching match_greedily(const OverlapTable& table, const ScorePair& score) {
  constexpr double free = -1;  // else the Dice of the match it is used in
  InstanceMatching out;
  std::vector<double> reference_used(table.reference.size(), free);
  std::vector<double> prediction_used(table.prediction.size(), free);
  for (const Candidate& pair : candidates(table, score)) {
    double& of_reference = reference_used[static_cast<std::size_t>(pair.reference_index)];
    double& of_prediction = prediction_used[static_cast<std::size_t>(pair.prediction_index)];
    if (of_reference >= 0 || of_prediction >= 0) {
      out.had_tie = out.had_tie || of_reference == pair.dice || of_prediction == pair.dice;
      continue;
    }
    of_reference = of_prediction = pair.dice;
    out.matches.push_back({table.reference[static_cast<std::size_t>(pair.reference_index)].label,
                           table.prediction[static_cast<std::size_t>(pair.prediction_index)].label,
                           pair.dice});
  }
  out.unmatched_reference = unused(table.reference, reference_used);
  out.unmatched_prediction = unused(table.prediction, prediction_used);
  return out;
}

}  // namespace fiducial
