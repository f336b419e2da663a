#pragma once

#include <string>

#include "fiducial/metrics/metric.h"

namespace fiducial {

inline constexpr const char* no_spacing = "no spacing";

// Why distances between the surfaces of a pair do not exist, or nothing.
inline std::string no_distance_reason(const FindingPair& pair) {
  if (!pair.context().spacing_mm) return no_spacing;
  if (pair.reference_mask().empty() && pair.predicted_mask().empty()) return "both masks are empty";
  if (pair.reference_mask().empty()) return "the reference is empty";
  if (pair.predicted_mask().empty()) return "the prediction is empty";
  return {};
}

// What contracts of distances in mm share: undefined as soon as a mask is empty.
inline MetricContract distance_contract() {
  return {.scorer = Scorer::strict,
          .group = "surface",
          .better = Direction::lower,
          .range = "[0, inf)",
          .unit = "mm",
          .empty = {.both = "undefined",
                    .reference = "undefined",
                    .prediction = "undefined",
                    .missing = "undefined"},
          .parameters = "spacing of the CT",
          .valid_for = "binary masks on the grid of a CT whose spacing is known",
          .needs_spacing = true};
}

}  // namespace fiducial
