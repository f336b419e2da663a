#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "fiducial/image/label_map.h"

namespace fiducial {

// An order of a prediction's findings that fits the reference much better than the one it is in.
struct FindingOrder {
  std::vector<std::int32_t> source;  // finding i of the reference is finding source[i] of the prediction
  double dice_as_is = 0;             // mean over findings
  double dice_reordered = 0;

  std::string name() const;  // "reversed", or "2 0 1"
};

// Looks for another order of the findings of a prediction that scores badly: the assignment of largest mean
// Dice. Silent (nothing) with fewer than two findings, on other grids, when the prediction is good, or when
// no order is clearly better.
std::optional<FindingOrder> probe_finding_order(std::span<const LabelMap> reference,
                                                std::span<const LabelMap> prediction);

}  // namespace fiducial
