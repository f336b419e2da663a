#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "fiducial/spatial/overlap.h"

namespace fiducial {

// A reference instance and the predicted one it was matched with, by their labels.
struct InstanceMatch {
  std::int32_t reference = 0;
  std::int32_t prediction = 0;
  double dice = 0;
};

// The outcome of a one-to-one matching. Labels ascend except in matches, which stand in the order found.
struct InstanceMatching {
  std::vector<InstanceMatch> matches;
  std::vector<std::int32_t> unmatched_reference;
  std::vector<std::int32_t> unmatched_prediction;
  bool had_tie = false;  // a match was chosen among pairs of equal Dice that excluded each other
};

// How two instances are compared: a score, and whether it is enough for a match.
struct PairScore {
  double dice = 0;
  bool enough = false;
};
using ScorePair = std::function<PairScore(const Overlap&)>;

// Greedy one-to-one: the pair with the largest Dice first, among equals the lower reference label, then the
// lower prediction label, until none is enough. Only pairs that share a voxel are candidates.
InstanceMatching match_greedily(const OverlapTable& table, const ScorePair& score);

}  // namespace fiducial
