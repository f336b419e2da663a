#include "metric_detections.h"

#include <memory>
#include <string>

#include "fiducial/base/json.h"
#include "fiducial/base/number_text.h"
#include "fiducial/base/version.h"
#include "fiducial/datasets/detection_tables.h"
#include "fiducial/terminal/text_table.h"

namespace fiducial::cli {

namespace {

struct DetectionOptions {
  std::string lesions;
  std::string detections;
  std::string reference;
  std::string prediction;
  MapRules rules;
  bool json = false;
};

Result<std::vector<ScanDetections>> read_detections(const DetectionOptions& options) {
  const bool tables = !options.lesions.empty() && !options.detections.empty();
  const bool maps = !options.reference.empty() && !options.prediction.empty();
  if (tables == maps) {
    return bad_usage("give tables (--lesions and --detections) or maps (--reference and --prediction)");
  }
  if (maps) return detections_in_maps(options.reference, options.prediction, options.rules);
  FIDUCIAL_TRY(const std::string lesions, read_text_file(options.lesions));
  FIDUCIAL_TRY(const std::string detections, read_text_file(options.detections));
  return parse_detection_tables(lesions, detections).in_file(options.detections);
}

Json curve_json(const DetectionCurve& curve) {
  Json rates = Json::Array{};
  for (const double rate : froc_rates) {
    rates.push(
        Json::object({{"false_positives_per_scan", rate}, {"sensitivity", curve.sensitivity_at(rate)}}));
  }
  Json points = Json::Array{};
  for (const OperatingPoint& point : curve.points) {
    points.push(Json::object({{"confidence", point.confidence},
                              {"false_positives_per_scan", point.false_positives_per_scan},
                              {"sensitivity", point.sensitivity},
                              {"precision", point.precision}}));
  }
  return Json::object({{"schema", "fiducial.detections/1"},
                       {"version", tool_version},
                       {"scans", curve.scans},
                       {"lesions", curve.lesions},
                       {"found", curve.found},
                       {"false_positives", curve.false_positives},
                       {"average_precision", curve.average_precision},
                       {"froc_score", curve.froc_score()},
                       {"sensitivity_at", rates},
                       {"points", points}});
}

std::string curve_text(const DetectionCurve& curve, std::size_t width) {
  using Align = TextTable::Align;
  TextTable table({Align::left, Align::right});
  table.add({"average precision", fixed(curve.average_precision, 4)});
  table.add({"FROC score", fixed(curve.froc_score(), 4)});
  for (const double rate : froc_rates) {
    table.add({"sensitivity at " + shortest(rate) + " false positives a scan",
               fixed(curve.sensitivity_at(rate), 4)});
  }
  return decimal(curve.scans) + " scans, " + decimal(curve.found) + " of " + decimal(curve.lesions) +
         " lesions found, " + decimal(curve.false_positives) + " false positives\n" + table.text("", width);
}

Result<int> metric_detections(const DetectionOptions& options, Console& console) {
  FIDUCIAL_TRY(const std::vector<ScanDetections> scans, read_detections(options));
  FIDUCIAL_TRY(const DetectionCurve curve, detection_curve(scans));
  if (options.json) {
    console.print(curve_json(curve).pretty());
  } else {
    console.show(curve_text(curve, console.width()));
  }
  return 0;
}

}  // namespace

CommandBody define_metric_detections(Verb verb) {
  auto options = std::make_shared<DetectionOptions>();
  verb.add_option("--lesions", options->lesions, "CSV with case and lesions: how many each scan has");
  verb.add_option("--detections", options->detections,
                  "CSV with case, confidence and lesion: which one is hit, from 0, or nothing");
  verb.add_option("--reference", options->reference,
                  "Folder of masks: labels are lesions, or else what touches is one");
  verb.add_option("--prediction", options->prediction,
                  "Folder of maps of probabilities under the same names");
  verb.add_option("--threshold", options->rules.threshold, "Voxels of a map above this are detected")
      ->check(Range(0.0, 1.0))
      ->capture_default_str();
  verb.add_option("--iou", options->rules.iou, "Least overlap of a detection with the lesion that it hits")
      ->check(Range(0.0, 1.0))
      ->capture_default_str();
  verb.add_flag("--json", options->json, "Print as JSON, with every operating point");
  return [options](Console& console) { return metric_detections(*options, console); };
}

}  // namespace fiducial::cli
