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

// The distance between the surfaces of a pair, where there is one.
template <typename Distance>
Score distance_score(const FindingPair& pair, Distance distance) {
  if (std::string reason = no_distance_reason(pair); !reason.empty())
    return Score::undefined(std::move(reason));
  return distance(pair.surfaces());
}

// What contracts of distances in mm do not share.
struct DistanceText {
  const char* id = "";
  const char* title = "";
  const char* definition = "";
  const char* citation = "";
};

// A contract of distances in mm: undefined as soon as a mask is empty.
inline MetricContract distance_contract(const DistanceText& text = {}) {
  return {.id = text.id,
          .title = text.title,
          .scorer = Scorer::strict,
          .group = "surface",
          .better = Direction::lower,
          .range = "[0, inf)",
          .unit = "mm",
          .empty = {.both = "undefined",
                    .reference = "undefined",
                    .prediction = "undefined",
                    .missing = "undefined"},
          .definition = text.definition,
          .parameters = "spacing of the CT",
          .valid_for = "binary masks on the grid of a CT whose spacing is known",
          .citation = text.citation,
          .needs_spacing = true};
}

}  // namespace fiducial
