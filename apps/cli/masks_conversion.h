#pragma once

#include <string>

#include "fiducial/base/result.h"

#include "console.h"

namespace fiducial::cli {

// `fiducial convert` of masks, from and to folders, archives and files of any format.
struct MasksConversion {
  std::string input;
  std::string output;
  std::string labels;  // a file of names, or "total"
  std::string volume;
  bool stacked = false;
  bool overwrite = false;
  bool json = false;
};

// Whether the paths or the options say that masks are converted, and no image.
bool is_masks_conversion(const MasksConversion& conversion);
Result<int> convert_masks(const MasksConversion& conversion, Console& console);

}  // namespace fiducial::cli
