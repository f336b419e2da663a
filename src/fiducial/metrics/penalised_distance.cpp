#include <cmath>

#include "fiducial/metrics/surface_contract.h"

namespace fiducial {

namespace {

double volume_diagonal_mm(const FindingPair& pair) {
  const Extent& extent = pair.reference_mask().extent();
  const Vec3& spacing_mm = *pair.context().spacing_mm;
  double sum = 0;
  for (int axis = 0; axis < 3; ++axis) {
    const double mm = static_cast<double>(extent[axis]) * spacing_mm[static_cast<std::size_t>(axis)];
    sum += mm * mm;
  }
  return std::sqrt(sum);
}

// The distance of another metric, or the diagonal where exactly one mask is empty.
Score distance_or_diagonal(const FindingPair& pair, std::string_view metric) {
  const bool is_one_empty = pair.reference_mask().empty() != pair.predicted_mask().empty();
  if (pair.context().spacing_mm && is_one_empty) return volume_diagonal_mm(pair);
  return find_mask_metric(metric)->score(pair);
}

MetricContract penalised_contract(const DistanceText& text) {
  MetricContract out = distance_contract(text);
  const char* diagonal = "diagonal of the volume";
  out.empty = {.both = "undefined", .reference = diagonal, .prediction = diagonal, .missing = diagonal};
  out.parameters = "spacing of the CT; penalty: the diagonal of its volume";
  out.less_is_never_better = true;
  return out;
}

}  // namespace

std::vector<MaskMetric> penalised_distance_metrics() {
  return {
      {penalised_contract({"hd95_surfel_directed_max_penalised",
                           "Hausdorff distance, 95 %, failures penalised",
                           "hd95_surfel_directed_max; the diagonal of the volume where one mask is empty",
                           "surface-distance, compute_robust_hausdorff at 95; Fiducial's penalty"}),
       [](const FindingPair& pair) { return distance_or_diagonal(pair, "hd95_surfel_directed_max"); }},
      {penalised_contract({"assd_pooled_penalised", "Average symmetric surface distance, failures penalised",
                           "assd_pooled; the diagonal of the volume where one mask is empty",
                           "MONAI, symmetric; Fiducial's penalty"}),
       [](const FindingPair& pair) { return distance_or_diagonal(pair, "assd_pooled"); }},
      {penalised_contract({"centroid_distance_penalised", "Distance of centroids, failures penalised",
                           "centroid_distance; the diagonal of the volume where one mask is empty",
                           "panoptica, metrics/center_distance.py; Fiducial's penalty"}),
       [](const FindingPair& pair) { return distance_or_diagonal(pair, "centroid_distance"); }}};
}

}  // namespace fiducial
