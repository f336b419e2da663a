#include "dicom_conversion.h"

#include "fiducial/anatomy/anatomy.h"
#include "fiducial/anatomy/stored_masks.h"
#include "fiducial/base/number_text.h"
#include "fiducial/base/paths.h"
#include "fiducial/dicom/contours.h"
#include "fiducial/dicom/deidentify.h"
#include "fiducial/dicom/segmentation.h"
#include "fiducial/masks/masks_on_grid.h"
#include "fiducial/masks/segment_plan.h"

namespace fiducial::cli {

namespace {

constexpr std::uint64_t most_dicom_bytes = std::uint64_t{1} << 30;

// A file of contours, which says nothing of voxels; nothing where the input is masks.
Result<std::optional<DicomFile>> read_contour_file(const Path& input) {
  if (is_folder(input) || !input.string().ends_with(".dcm")) return std::optional<DicomFile>();
  FIDUCIAL_TRY(const std::string bytes, read_text_file(input, most_dicom_bytes));
  if (!begins_as_dicom(as_bytes(bytes))) return std::optional<DicomFile>();
  FIDUCIAL_TRY(DicomFile file, parse_dicom(as_bytes(bytes)).in_file(input.string()));
  if (!is_structure_set(file.data)) return std::optional<DicomFile>();
  return std::optional(std::move(file));
}

Result<MaskCollection> masks_of_contours(const DicomFile& file, const SegmentedSeries& series,
                                         Console& console, const std::string& name) {
  FIDUCIAL_TRY(StructureSet set, read_structure_set(file, series));
  for (const Note& note : set.notes) console.note(name + ": " + note.text);
  const SegmentPlan plan = plan_of_segments(set.segments);
  MaskCollection out{
      .arrangement = plan.arrangement, .grid = series.grid, .claims_place = true, .masks = {}, .origins = {}};
  std::vector<std::vector<LabelRun>> runs(plan.masks.size());
  for (std::size_t i = 0; i < set.masks.size(); ++i) {
    for (const MaskRun& run : set.masks[i].runs())
      runs[plan.targets[i].mask].push_back({run.row, run.begin, run.end, plan.targets[i].label});
  }
  for (std::size_t i = 0; i < plan.masks.size(); ++i) {
    FIDUCIAL_TRY(LabelMap labels, labels_of_runs(std::move(runs[i]), series.grid, plan.masks[i]));
    out.masks.push_back({plan.masks[i], std::move(labels)});
  }
  return out;
}

Result<MaskCollection> read_masks_on(const SegmentedSeries& series, const DicomConversion& conversion,
                                     Console& console) {
  const std::string& input = conversion.masks.input;
  FIDUCIAL_TRY(const std::optional<DicomFile> contours, read_contour_file(input));
  if (contours) return masks_of_contours(*contours, series, console, input).in_file(input);
  FIDUCIAL_TRY(const MaskCollection masks, read_masks_of(conversion.masks));
  return masks_on_grid(masks, series.grid).in_file(input);
}

CodedName side_of(const std::string& name) {
  const Structure* structure = Anatomy::chest_ct().find(name);
  std::string side(side_of_structure(name));
  if (structure != nullptr && structure->total_class)
    side = Anatomy::chest_ct().total_classes()[*structure->total_class].side;
  if (side == "left") return {"SCT", "7771000", "Left"};
  if (side == "right") return {"SCT", "24028007", "Right"};
  return {};
}

void tell(const DeidentifyReport& report, const std::string& output, Console& console) {
  for (const auto& [what, count] : report) {
    console.note(output + ": " + dicom_tag_text(what.first) + " " + std::string(to_string(what.second)) +
                 (count > 1 ? ", " + decimal(count) + " times" : ""));
  }
}

Outcome write_segmentation(const MaskCollection& masks, const SegmentedSeries& series,
                           const DicomConversion& conversion, Console& console) {
  std::vector<SegmentEntry> segments;
  std::vector<Mask> voxels;
  for (Segment& segment : segments_of(masks)) {
    if (masks.arrangement == MaskArrangement::structures) segment.about.side = side_of(segment.about.name);
    segments.push_back(std::move(segment.about));
    voxels.push_back(std::move(segment.voxels));
  }
  const auto kind =
      conversion.segmentation == "labelmap" ? SegmentationKind::label_map : SegmentationKind::binary;
  FIDUCIAL_TRY(DicomFile file,
               make_segmentation(series, {.segments = segments, .masks = voxels, .kind = kind}));
  if (conversion.deidentified) tell(deidentify(file.data), conversion.masks.output, console);
  return write_file(Path(conversion.masks.output), dicom_bytes(file));
}

}  // namespace

Result<int> convert_dicom(const DicomConversion& conversion, Console& console) {
  const MasksConversion& masks = conversion.masks;
  const bool to_dicom = masks.output.ends_with(".dcm");
  if (!conversion.segmentation.empty() && !to_dicom)
    return bad_usage("--segmentation says how a DICOM file is written; expected an OUT that ends in .dcm");
  if (!conversion.segmentation.empty() && conversion.segmentation != "binary" &&
      conversion.segmentation != "labelmap")
    return bad_usage("--segmentation " + conversion.segmentation + ": expected binary or labelmap");
  if (is_there(masks.output) && !masks.overwrite) {
    return Error(ErrorCode::bad_usage, "output exists; --overwrite replaces it", Place{.path = masks.output});
  }
  if (conversion.deidentified && !to_dicom)
    return bad_usage("--deidentify is for DICOM files that are written; expected an OUT that ends in .dcm");
  FIDUCIAL_TRY(const SegmentedSeries series, read_segmented_series(conversion.like));
  FIDUCIAL_TRY(const MaskCollection placed, read_masks_on(series, conversion, console));
  FIDUCIAL_TRY_DONE(write_label_descriptions(masks, placed));
  if (to_dicom) {
    FIDUCIAL_TRY_DONE(write_segmentation(placed, series, conversion, console).in_file(masks.output));
  } else {
    FIDUCIAL_TRY_DONE(write_stored_masks(
        placed, {.path = masks.output, .overwrite = masks.overwrite, .stacked = masks.stacked}));
  }
  return told_masks(masks, placed, console);
}

}  // namespace fiducial::cli
