#include "fiducial/datasets/detection_tables.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

#include "fiducial/base/number_text.h"
#include "fiducial/base/paths.h"
#include "fiducial/image/label_decoder.h"
#include "fiducial/image/model_input.h"
#include "fiducial/image/nifti_file.h"
#include "fiducial/spatial/components.h"
#include "fiducial/spatial/overlap.h"
#include "fiducial/table/csv.h"

namespace fiducial {

namespace {

constexpr std::int64_t most_lesions_of_a_scan = 100'000;

using ScansByCase = std::map<std::string, ScanDetections, std::less<>>;

Result<ScansByCase> read_lesion_counts(std::string_view csv) {
  FIDUCIAL_TRY(const CsvTable table, parse_csv(csv));
  FIDUCIAL_TRY(const std::size_t cases, table.column("case"));
  FIDUCIAL_TRY(const std::size_t lesions, table.column("lesions"));
  ScansByCase out;
  for (std::size_t row = 0; row < table.rows(); ++row) {
    const auto count = parse_integer(table.cell(row, lesions));
    if (!count || *count < 0 || *count > most_lesions_of_a_scan) {
      return table.cell_error(row, lesions, "expected how many lesions the case has");
    }
    const auto [known, added] = out.try_emplace(std::string(table.cell(row, cases)));
    if (!added) return table.cell_error(row, cases, "a second row for \"" + known->first + "\"");
    known->second.lesions = *count;
  }
  return out;
}

// The lesions of a mask: its labels where it has several, else what touches.
LabelMap lesions_of(const LabelMap& labels) {
  if (labels.labels().size() > 1) return labels;
  return components(labels.foreground(), Connectivity::corners26).labels;
}

struct ProbabilityMap {
  Extent extent;
  std::vector<float> values;
};

Result<ProbabilityMap> read_probabilities(const Path& path) {
  FIDUCIAL_TRY(const NiftiImage image, read_nifti(path));
  FIDUCIAL_TRY(FloatVolume volume, float_volume(image));
  for (const float value : volume.values) {
    if (value >= 0 && value <= 1) continue;
    return invalid_data(std::isnan(value)
                            ? "a voxel is NaN; expected probabilities"
                            : "a voxel is " + shortest(value) + "; expected probabilities of 0 to 1");
  }
  return ProbabilityMap{volume.extent, std::move(volume.values)};
}

// The greatest value of each component.
std::vector<double> surest_of(const LabelMap& labels, std::size_t count, const std::vector<float>& values) {
  std::vector<double> out(count, 0);
  for (const LabelRun& run : labels.runs()) {
    double& best = out[static_cast<std::size_t>(run.label - 1)];
    const auto row = values.begin() + std::int64_t{run.row} * labels.extent().x;
    best = std::max(best, static_cast<double>(*std::max_element(row + run.begin, row + run.end)));
  }
  return out;
}

ScanDetections matched_detections(const LabelMap& lesions, const Components& found,
                                  const std::vector<float>& values, double least_iou) {
  const Result<OverlapTable> table = overlap_table(lesions, found.labels);
  ScanDetections out{.lesions = static_cast<std::int64_t>(lesions.labels().size())};
  const std::vector<double> surest = surest_of(found.labels, found.voxels.size(), values);
  std::vector<double> best(found.voxels.size(), 0);
  out.detections.reserve(surest.size());
  for (const double confidence : surest) out.detections.push_back({confidence, std::nullopt});
  for (const OverlapTable::Pair& pair : table->pairs) {
    const OverlapTable::Label& lesion = table->reference[static_cast<std::size_t>(pair.reference_index)];
    const OverlapTable::Label& one = table->prediction[static_cast<std::size_t>(pair.prediction_index)];
    const double iou =
        static_cast<double>(pair.voxels) / static_cast<double>(lesion.voxels + one.voxels - pair.voxels);
    const auto index = static_cast<std::size_t>(one.label - 1);
    if (iou < least_iou || iou <= best[index]) continue;
    best[index] = iou;
    out.detections[index].lesion = pair.reference_index;
  }
  return out;
}

Result<ScanDetections> detections_in_map(const Path& reference, const Path& prediction,
                                         const MapRules& rules) {
  FIDUCIAL_TRY(NiftiStream stream, NiftiStream::open(reference));
  FIDUCIAL_TRY(const LabelStack stack, decode_labels(stream, ChannelAxis::none).in_file(reference.string()));
  if (stack.values.fractional + stack.values.not_finite > 0) {
    return Error(ErrorCode::invalid_data, "values that are no whole numbers; expected a mask of lesions",
                 Place{.path = reference.string()});
  }
  FIDUCIAL_TRY(const ProbabilityMap map, read_probabilities(prediction).in_file(prediction.string()));
  if (map.extent != stack.grid.extent) {
    return Error(ErrorCode::invalid_data,
                 map.extent.text() + " voxels; the reference has " + stack.grid.extent.text(),
                 Place{.path = prediction.string()});
  }
  std::vector<std::uint8_t> inside;
  inside.reserve(map.values.size());
  for (const float value : map.values) inside.push_back(static_cast<double>(value) > rules.threshold ? 1 : 0);
  const Components found = components(Mask::from_dense(stack.grid, inside), Connectivity::corners26);
  return matched_detections(lesions_of(stack.channels.front()), found, map.values, rules.iou);
}

}  // namespace

Result<std::vector<ScanDetections>> parse_detection_tables(std::string_view lesions_csv,
                                                           std::string_view detections_csv) {
  FIDUCIAL_TRY(ScansByCase scans, read_lesion_counts(lesions_csv));
  FIDUCIAL_TRY(const CsvTable table, parse_csv(detections_csv));
  FIDUCIAL_TRY(const std::size_t cases, table.column("case"));
  FIDUCIAL_TRY(const std::size_t confidences, table.column("confidence"));
  FIDUCIAL_TRY(const std::size_t lesions, table.column("lesion"));
  for (std::size_t row = 0; row < table.rows(); ++row) {
    const auto scan = scans.find(table.cell(row, cases));
    if (scan == scans.end())
      return table.cell_error(row, cases, "a case that the table of lesions does not list");
    const auto confidence = parse_double(table.cell(row, confidences));
    if (!confidence || !std::isfinite(*confidence)) {
      return table.cell_error(row, confidences, "expected a number");
    }
    Detection detection{*confidence, std::nullopt};
    if (const std::string_view text = table.cell(row, lesions); !text.empty()) {
      const auto lesion = parse_integer(text);
      if (!lesion || *lesion < 0 || *lesion >= scan->second.lesions) {
        return table.cell_error(row, lesions,
                                "expected the number of a lesion, from 0, of the " +
                                    decimal(scan->second.lesions) + " that the case has, or nothing");
      }
      detection.lesion = *lesion;
    }
    scan->second.detections.push_back(detection);
  }
  std::vector<ScanDetections> out;
  out.reserve(scans.size());
  for (auto& [name, scan] : scans) out.push_back(std::move(scan));
  return out;
}

Result<std::vector<ScanDetections>> detections_in_maps(const Path& reference, const Path& prediction,
                                                       const MapRules& rules) {
  FIDUCIAL_TRY(const std::vector<FolderEntry> entries, entries_of(reference));
  std::vector<ScanDetections> out;
  for (const FolderEntry& entry : entries) {
    const std::string name = entry.path.filename().string();
    if (entry.is_folder || !(name.ends_with(".nii") || name.ends_with(".nii.gz"))) continue;
    if (!is_file(prediction / name)) {
      return Error(ErrorCode::invalid_data, "no map of " + name, Place{.path = prediction.string()});
    }
    FIDUCIAL_TRY(ScanDetections scan, detections_in_map(entry.path, prediction / name, rules));
    out.push_back(std::move(scan));
  }
  return out;
}

}  // namespace fiducial
