#include <algorithm>

#include "fiducial/metrics/surface_contract.h"

namespace fiducial {

namespace {

double surfel_percentile(const SurfaceComparison& surfaces, double percent) {
  const auto& [a, b] = surfaces.surfel_distances();
  return std::max(area_percentile_mm(a, percent), area_percentile_mm(b, percent));
}

double edge_percentile(const SurfaceComparison& surfaces, double percent) {
  const auto& [a, b] = surfaces.voxel_edge_distances();
  return std::max(linear_percentile(a.distance_mm, percent), linear_percentile(b.distance_mm, percent));
}

double pooled_edge_percentile(const SurfaceComparison& surfaces, double percent) {
  const auto& [a, b] = surfaces.voxel_edge_distances();
  std::vector<double> both = a.distance_mm;
  both.insert(both.end(), b.distance_mm.begin(), b.distance_mm.end());
  return linear_percentile(std::move(both), percent);
}

}  // namespace

std::vector<MaskMetric> hausdorff_metrics() {
  return {
      {distance_contract(
           {"hd95_surfel_directed_max", "Hausdorff distance, 95 % of the area",
            "the larger of the two directed distances within which 95 % of the surface's area lies; no "
            "interpolation",
            "surface-distance, compute_robust_hausdorff at 95"}),
       [](const FindingPair& pair) {
         return distance_score(pair, [](const auto& surfaces) { return surfel_percentile(surfaces, 95); });
       }},
      {distance_contract({"hd_surfel", "Hausdorff distance of surfels",
                          "the largest distance from a corner of one surface to the nearest of the other",
                          "surface-distance, compute_robust_hausdorff at 100"}),
       [](const FindingPair& pair) {
         return distance_score(pair, [](const auto& surfaces) { return surfel_percentile(surfaces, 100); });
       }},
      {distance_contract(
           {"hd95_directed_max", "Hausdorff distance, 95th percentile",
            "linear 95th percentile of the distances of edge voxels in each direction, then the larger",
            "MONAI, monai/metrics/hausdorff_distance.py; MetricsReloaded"}),
       [](const FindingPair& pair) {
         return distance_score(pair, [](const auto& surfaces) { return edge_percentile(surfaces, 95); });
       }},
      {distance_contract(
           {"hd95_pooled", "Hausdorff distance, pooled 95th percentile",
            "linear 95th percentile of the distances of edge voxels of both directions together",
            "panoptica, metrics/hausdorff_distance.py; medpy"}),
       [](const FindingPair& pair) {
         return distance_score(pair,
                               [](const auto& surfaces) { return pooled_edge_percentile(surfaces, 95); });
       }},
      {distance_contract({"hd", "Hausdorff distance",
                          "the largest distance from an edge voxel of one mask to the nearest of the other",
                          "MONAI, panoptica, MetricsReloaded"}),
       [](const FindingPair& pair) {
         return distance_score(pair, [](const auto& surfaces) { return edge_percentile(surfaces, 100); });
       }}};
}

}  // namespace fiducial
