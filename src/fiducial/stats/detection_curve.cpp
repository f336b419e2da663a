#include "fiducial/stats/detection_curve.h"

#include <algorithm>
#include <cmath>
#include <map>

#include "fiducial/base/number_text.h"

namespace fiducial {

namespace {

// Confidences of hits (true) and of false alarms.
struct RankedDetection {
  double confidence = 0;
  bool hit = false;
};

// What counts of a scan: its false alarms, and of every lesion that is hit the surest hit.
Result<std::vector<RankedDetection>> ranked_of(const ScanDetections& scan) {
  std::vector<RankedDetection> out;
  out.reserve(scan.detections.size());
  std::map<std::int64_t, double> surest;
  for (const Detection& each : scan.detections) {
    if (!std::isfinite(each.confidence)) return invalid_data("a confidence is no finite number");
    if (!each.lesion) {
      out.push_back({each.confidence, false});
      continue;
    }
    if (*each.lesion < 0 || *each.lesion >= scan.lesions) {
      return invalid_data("a detection hits lesion " + decimal(*each.lesion) + " of a scan that has " +
                          decimal(scan.lesions));
    }
    const auto [known, added] = surest.try_emplace(*each.lesion, each.confidence);
    if (!added) known->second = std::max(known->second, each.confidence);
  }
  for (const auto& [lesion, confidence] : surest) out.push_back({confidence, true});
  return out;
}

}  // namespace

double DetectionCurve::sensitivity_at(double false_positives_per_scan) const {
  double best = 0;
  for (const OperatingPoint& point : points) {
    if (point.false_positives_per_scan <= false_positives_per_scan) best = std::max(best, point.sensitivity);
  }
  return best;
}

double DetectionCurve::froc_score() const {
  double sum = 0;
  for (const double rate : froc_rates) sum += sensitivity_at(rate);
  return sum / static_cast<double>(std::size(froc_rates));
}

Result<DetectionCurve> detection_curve(std::span<const ScanDetections> scans) {
  DetectionCurve out{.scans = static_cast<std::int64_t>(scans.size())};
  std::vector<RankedDetection> ranked;
  for (const ScanDetections& scan : scans) {
    out.lesions += scan.lesions;
    FIDUCIAL_TRY(const std::vector<RankedDetection> some, ranked_of(scan));
    ranked.insert(ranked.end(), some.begin(), some.end());
  }
  if (out.scans == 0) return invalid_data("no scans");
  if (out.lesions == 0) return invalid_data("no scan has a lesion, so there is no sensitivity");
  std::sort(ranked.begin(), ranked.end(),
            [](const RankedDetection& a, const RankedDetection& b) { return a.confidence > b.confidence; });
  for (std::size_t i = 0; i < ranked.size(); ++i) {
    (ranked[i].hit ? out.found : out.false_positives) += 1;
    if (i + 1 < ranked.size() && ranked[i + 1].confidence == ranked[i].confidence) continue;
    const double before = out.points.empty() ? 0 : out.points.back().sensitivity;
    const auto found = static_cast<double>(out.found);
    const OperatingPoint point{
        .confidence = ranked[i].confidence,
        .false_positives_per_scan = static_cast<double>(out.false_positives) / static_cast<double>(out.scans),
        .sensitivity = found / static_cast<double>(out.lesions),
        .precision = found / static_cast<double>(i + 1)};
    out.average_precision += (point.sensitivity - before) * point.precision;
    out.points.push_back(point);
  }
  return out;
}

}  // namespace fiducial
