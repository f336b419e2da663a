#include "masks_conversion.h"

#include "fiducial/anatomy/stored_masks.h"
#include "fiducial/base/number_text.h"

namespace fiducial::cli {

namespace {

constexpr std::uint64_t most_names_bytes = std::uint64_t{16} << 20;

Result<LabelNames> names_of_labels(const std::string& labels) {
  if (labels == "total") return total_label_names();
  FIDUCIAL_TRY(const std::string text, read_text_file(labels, most_names_bytes));
  return parse_label_names(text).in_file(labels);
}

}  // namespace

bool is_masks_conversion(const MasksConversion& conversion) {
  return conversion.stacked || !conversion.labels.empty() || !conversion.volume.empty() ||
         is_masks_target(conversion.output) || is_masks_source(conversion.input);
}

Result<int> convert_masks(const MasksConversion& conversion, Console& console) {
  StoredMasksRequest request{.source = conversion.input, .volume = conversion.volume, .names = {}};
  if (!conversion.labels.empty()) {
    FIDUCIAL_TRY(request.names, names_of_labels(conversion.labels));
  }
  FIDUCIAL_TRY(const MaskCollection masks, read_stored_masks(request));
  FIDUCIAL_TRY_DONE(write_stored_masks(
      masks, {.path = conversion.output, .overwrite = conversion.overwrite, .stacked = conversion.stacked}));
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

}  // namespace fiducial::cli
