#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "fiducial/metrics/contract.h"
#include "fiducial/metrics/finding_pair.h"
#include "fiducial/metrics/score.h"

namespace fiducial {

// As many entities as annotators of a partially labelled split mark at most: a finding with fewer has all.
inline constexpr std::int64_t partial_label_cap = 3;

// Why a metric that counts false positives has no value where entities may be missing from the reference.
inline constexpr const char* partial_labels = "labels may be partial: unmatched components may be right";

// A metric of one finding: a reference mask with entities against a predicted mask.
struct MaskMetric {
  MetricContract contract;
  Score (*score)(const FindingPair& pair);
};

// Every mask metric, in the order of all_metrics.def.
const std::vector<MaskMetric>& all_mask_metrics();
const MaskMetric* find_mask_metric(std::string_view id);

// The metric's score, or none where it counts false positives and the reference may lack entities.
Score score_of(const MaskMetric& metric, const FindingPair& pair);

}  // namespace fiducial
