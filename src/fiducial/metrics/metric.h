#pragma once

#include <string_view>
#include <vector>

#include "fiducial/metrics/contract.h"
#include "fiducial/metrics/finding_pair.h"
#include "fiducial/metrics/score.h"

namespace fiducial {

// A metric of one finding: a reference mask with entities against a predicted mask.
struct MaskMetric {
  MetricContract contract;
  Score (*score)(const FindingPair& pair);
};

// Every mask metric, in the order of all_metrics.def.
const std::vector<MaskMetric>& all_mask_metrics();
const MaskMetric* find_mask_metric(std::string_view id);

}  // namespace fiducial
