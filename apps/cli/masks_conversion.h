#pragma once

#include <string>

#include "fiducial/base/result.h"
#include "fiducial/masks/mask_collection.h"

#include "console.h"

namespace fiducial::cli {

// `fiducial convert` of masks, from and to folders, archives and files of any format.
struct MasksConversion {
  std::string input;
  std::string output;
  std::string labels;    // a file of names, or "total"
  std::string itk_snap;  // where ITK-SNAP's label descriptions go; "": nowhere
  std::string volume;
  bool stacked = false;
  bool overwrite = false;
  bool json = false;
};

// Writes the label descriptions where they are asked for.
Outcome write_label_descriptions(const MasksConversion& conversion, const MaskCollection& masks);
// Whether the paths or the options say that masks are converted, and no image.
bool is_masks_conversion(const MasksConversion& conversion);
Result<int> convert_masks(const MasksConversion& conversion, Console& console);

// Reads the masks that are to be converted, with the names that the options give them.
Result<MaskCollection> read_masks_of(const MasksConversion& conversion);
// Says what was written; the exit status.
int told_masks(const MasksConversion& conversion, const MaskCollection& masks, Console& console);

}  // namespace fiducial::cli
