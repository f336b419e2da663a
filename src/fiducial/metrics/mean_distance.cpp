#include "fiducial/metrics/distance_matching.h"
#include "fiducial/metrics/surface_contract.h"

namespace fiducial {

std::vector<MaskMetric> mean_distance_metrics() {
  return {{distance_contract({"asd_surfel_directed_reference_to_prediction",
                              "Mean distance, reference to prediction",
                              "mean distance of the reference surface to the predicted one, weighted by area",
                              "surface-distance, compute_average_surface_distance"}),
           [](const FindingPair& pair) {
             return distance_score(pair, [](const SurfaceComparison& surfaces) {
               return mean_distance_mm(surfaces.surfel_distances().from_reference);
             });
           }},
          {distance_contract({"asd_surfel_directed_prediction_to_reference",
                              "Mean distance, prediction to reference",
                              "mean distance of the predicted surface to the reference one, weighted by area",
                              "surface-distance, compute_average_surface_distance"}),
           [](const FindingPair& pair) {
             return distance_score(pair, [](const SurfaceComparison& surfaces) {
               return mean_distance_mm(surfaces.surfel_distances().from_prediction);
             });
           }},
          {distance_contract({"assd_pooled", "Average symmetric surface distance",
                              "one mean over the distances of the edge voxels of both masks",
                              "MONAI, symmetric; MetricsReloaded, measured_average_distance"}),
           [](const FindingPair& pair) { return distance_score(pair, pooled_surface_distance_mm); }},
          {distance_contract({"assd_mean_directed", "Mean of the directed mean distances",
                              "mean of the two directed mean distances of edge voxels",
                              "panoptica, metrics/assd.py; MetricsReloaded, measured_masd"}),
           [](const FindingPair& pair) {
             return distance_score(pair, [](const SurfaceComparison& surfaces) {
               const auto& [a, b] = surfaces.voxel_edge_distances();
               return (mean_distance_mm(a) + mean_distance_mm(b)) / 2;
             });
           }},
          {distance_contract({"asd_prediction_to_reference", "Mean distance of predicted edge voxels",
                              "mean distance of the prediction's edge voxels to the nearest of the reference",
                              "MONAI, monai/metrics/surface_distance.py, not symmetric"}),
           [](const FindingPair& pair) {
             return distance_score(pair, [](const SurfaceComparison& surfaces) {
               return mean_distance_mm(surfaces.voxel_edge_distances().from_prediction);
             });
           }}};
}

}  // namespace fiducial
