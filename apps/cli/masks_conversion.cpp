#include "masks_conversion.h"

#include "fiducial/anatomy/label_descriptions.h"
#include "fiducial/anatomy/stored_masks.h"
#include "fiducial/base/number_text.h"
#include "fiducial/base/paths.h"
#include "fiducial/base/plain_text.h"

namespace fiducial::cli {

namespace {

constexpr std::uint64_t most_names_bytes = std::uint64_t{16} << 20;

Result<LabelNames> names_of_labels(const std::string& labels) {
  if (labels == "total") return total_label_names();
  FIDUCIAL_TRY(const std::string text, read_text_file(labels, most_names_bytes));
  // A JSON object, or ITK-SNAP's lines.
  const bool is_json = trimmed(text).starts_with('{');
  return (is_json ? parse_label_names(text) : parse_label_descriptions(text)).in_file(labels);
}

}  // namespace

bool is_masks_conversion(const MasksConversion& conversion) {
  return conversion.stacked || !conversion.labels.empty() || !conversion.volume.empty() ||
         is_masks_target(conversion.output) || is_masks_source(conversion.input);
}

Result<MaskCollection> read_masks_of(const MasksConversion& conversion) {
  StoredMasksRequest request{.source = conversion.input, .volume = conversion.volume, .names = {}};
  if (!conversion.labels.empty()) {
    FIDUCIAL_TRY(request.names, names_of_labels(conversion.labels));
  }
  return read_stored_masks(request);
}

Outcome write_label_descriptions(const MasksConversion& conversion, const MaskCollection& masks) {
  if (conversion.itk_snap.empty()) return done();
  if (is_there(conversion.itk_snap) && !conversion.overwrite) {
    return Error(ErrorCode::bad_usage, "output exists; --overwrite replaces it",
                 Place{.path = conversion.itk_snap});
  }
  return write_file(Path(conversion.itk_snap), label_descriptions(masks));
}

int told_masks(const MasksConversion& conversion, const MaskCollection& masks, Console& console) {
  if (conversion.json) {
    Json told = masks_json(masks);
    told.set("input", conversion.input).set("output", conversion.output);
    console.print(told.pretty());
  }
  const std::size_t count = masks.masks.size();
  console.note(conversion.output + ": " + decimal(count) + (count == 1 ? " mask of " : " masks of ") +
               masks.grid.extent.text() + " voxels");
  return 0;
}

Result<int> convert_masks(const MasksConversion& conversion, Console& console) {
  FIDUCIAL_TRY(const MaskCollection masks, read_masks_of(conversion));
  FIDUCIAL_TRY_DONE(write_label_descriptions(conversion, masks));
  FIDUCIAL_TRY_DONE(write_stored_masks(
      masks, {.path = conversion.output, .overwrite = conversion.overwrite, .stacked = conversion.stacked}));
  return told_masks(conversion, masks, console);
}

}  // namespace fiducial::cli
