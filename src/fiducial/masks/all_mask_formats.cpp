#include "fiducial/masks/mask_format.h"

namespace fiducial {

#define FIDUCIAL_MASK_FORMAT(name) MaskFormat name##_mask_format();
#include "fiducial/masks/all_mask_formats.def"
#undef FIDUCIAL_MASK_FORMAT

const std::vector<MaskFormat>& all_mask_formats() {
  static const std::vector<MaskFormat> formats = {
#define FIDUCIAL_MASK_FORMAT(name) name##_mask_format(),
#include "fiducial/masks/all_mask_formats.def"
#undef FIDUCIAL_MASK_FORMAT
  };
  return formats;
}

}  // namespace fiducial
