#include "fiducial/image/nifti_header.h"
#include "fiducial/masks/volume_masks.h"

namespace fiducial {

MaskFormat nifti_mask_format();

namespace {

bool begins_as_nifti(ByteView first) {
  const bool is_gzip = first.size() > 1 && first[0] == std::byte{0x1f} && first[1] == std::byte{0x8b};
  return is_gzip || (first.size() >= 8 && nifti_header_size(first.first(8)).ok());
}

}  // namespace

MaskFormat nifti_mask_format() {
  return {.id = "nifti",
          .title = "NIfTI",
          .endings = {".nii.gz", ".nii"},
          .begins = begins_as_nifti,
          .open = open_volume_masks};
}

}  // namespace fiducial
