#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "fiducial/base/file.h"
#include "fiducial/base/result.h"
#include "fiducial/stats/detection_curve.h"

namespace fiducial {

// Detections of scans as tables. LESIONS has the columns case and lesions (how many); DETECTIONS has case,
// confidence and lesion: which one is hit, from 0, or nothing. Refuses two rows for one case, detections in
// cases that are not listed, and what is no number.
Result<std::vector<ScanDetections>> parse_detection_tables(std::string_view lesions_csv,
                                                           std::string_view detections_csv);

// How detections are taken from maps of probabilities.
struct MapRules {
  double threshold =
      0.1;           // voxels above it that touch (26 neighbours) are one detection, as sure as its surest
  double iou = 0.1;  // of a detection and the lesion that it hits, at least
};

// Detections of every file that both folders have: reference masks, whose labels are lesions (or else what
// touches is one), and maps of probabilities on the same grid. Refuses a reference without its map, NaN, and
// values outside 0 to 1.
Result<std::vector<ScanDetections>> detections_in_maps(const Path& reference, const Path& prediction,
                                                       const MapRules& rules);

}  // namespace fiducial
