#include "fiducial/metrics/metric.h"

namespace fiducial {

std::vector<MaskMetric> extra_voxels_metrics() {
  return {{{.id = "extra_voxels",
            .title = "Predicted voxels outside the reference",
            .group = "extra",
            .better = Direction::lower,
            .range = "[0, inf)",
            .unit = "voxels",
            .empty = {"0", "number of voxels", "0", "0", {}},
            .definition = "B - I",
            .parameters = "none",
            .valid_for = "binary masks on one grid",
            .citation = "none"},
           [](const FindingPair& pair) -> Score {
             return static_cast<double>(pair.overlap().prediction - pair.overlap().both);
           }}};
}

}  // namespace fiducial
