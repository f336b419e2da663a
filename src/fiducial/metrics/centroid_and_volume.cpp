#include "fiducial/metrics/distance_matching.h"
#include "fiducial/metrics/surface_contract.h"

namespace fiducial {

std::vector<MaskMetric> centroid_and_volume_metrics() {
  MetricContract centroid = distance_contract();
  centroid.id = "centroid_distance";
  centroid.title = "Distance of centroids";
  centroid.definition = "length of the line between the unweighted means of voxel centres";
  centroid.citation = "panoptica, metrics/center_distance.py; MetricsReloaded, com_dist";
  MetricContract volume = distance_contract();
  volume.id = "relative_volume_difference";
  volume.title = "Relative volume difference";
  volume.better = Direction::none;
  volume.range = "[-1, inf)";
  volume.unit = "1";
  volume.empty = {.both = "undefined", .reference = "undefined", .prediction = "-1", .missing = "-1"};
  volume.definition = "(B - A) / A in voxels; above 0 too much was predicted";
  volume.parameters = "none";
  volume.valid_for = "binary masks on one grid";
  volume.citation = "panoptica, metrics/relative_volume_difference.py";
  volume.needs_spacing = false;
  return {{centroid,
           [](const FindingPair& pair) -> Score {
             if (std::string reason = no_distance_reason(pair); !reason.empty()) {
               return Score::undefined(std::move(reason));
             }
             const Vec3& spacing_mm = *pair.context().spacing_mm;
             return distance_mm(centroid_mm(pair.reference_mask(), spacing_mm),
                                centroid_mm(pair.predicted_mask(), spacing_mm));
           }},
          {volume, [](const FindingPair& pair) -> Score {
             const std::int64_t reference = pair.reference_mask().count();
             if (reference == 0) return Score::undefined("the reference is empty");
             return static_cast<double>(pair.predicted_mask().count() - reference) /
                    static_cast<double>(reference);
           }}};
}

}  // namespace fiducial
