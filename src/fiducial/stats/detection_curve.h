#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "fiducial/base/result.h"

namespace fiducial {

// Something found in a scan: how sure its finder was, and the lesion it hits, if any.
struct Detection {
  double confidence = 0;
  std::optional<std::int64_t> lesion;  // below the scan's number of lesions
};

struct ScanDetections {
  std::int64_t lesions = 0;
  std::vector<Detection> detections;
};

// What is found by everything at least this sure.
struct OperatingPoint {
  double confidence = 0;
  double false_positives_per_scan = 0;
  double sensitivity = 0;
  double precision = 0;
};

struct DetectionCurve {
  std::int64_t scans = 0;
  std::int64_t lesions = 0;
  std::int64_t found = 0;              // lesions that any detection hits
  std::int64_t false_positives = 0;    // detections that hit none
  std::vector<OperatingPoint> points;  // one a distinct confidence, descending
  double average_precision = 0;        // sum of (recall step) x precision, recall over all lesions

  // The greatest sensitivity with at most so many false positives a scan; 0 where even the surest have more.
  double sensitivity_at(double false_positives_per_scan) const;
  // The mean of it at 1/8, 1/4, 1/2, 1, 2, 4 and 8: the score of LUNA16.
  double froc_score() const;
};

inline constexpr double froc_rates[] = {0.125, 0.25, 0.5, 1, 2, 4, 8};

// Of several detections that hit one lesion the surest counts, the others count as nothing. Refuses no scans,
// no lesions at all, confidences that are no finite numbers, and lesions that a scan does not have.
Result<DetectionCurve> detection_curve(std::span<const ScanDetections> scans);

}  // namespace fiducial
