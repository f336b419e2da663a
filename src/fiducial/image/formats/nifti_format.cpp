#include "fiducial/image/formats/skipped_bytes.h"
#include "fiducial/image/nifti_prologue.h"
#include "fiducial/image/volume_format.h"

namespace fiducial {

namespace {

Result<OpenedVolume> open_nifti(VolumeSource source) {
  FIDUCIAL_TRY(NiftiBytes plain, inflated_nifti(std::move(source.bytes)));
  FIDUCIAL_TRY(NiftiHeader header, read_nifti_header(*plain.bytes));
  OpenedVolume out{.header = std::move(header),
                   .voxels = std::move(plain.bytes),
                   .stored_bytes = source.stored_bytes,
                   .compressed = plain.compressed,
                   .segments = {},
                   .channels = {},
                   .is_plain = true};
  FIDUCIAL_TRY_DONE(check_volume_promise(out));
  FIDUCIAL_TRY_DONE(skip_bytes(*out.voxels, out.header.voxel_offset - header_bytes(out.header)));
  return out;
}

Outcome write_nifti_volume(const Path& path, const VolumeContent& content) {
  return write_nifti(path, content.image, content.level);
}

}  // namespace

VolumeFormat nifti_volume_format() {
  return {.id = "nifti",
          .title = "NIfTI",
          .endings = {".nii.gz", ".nii"},
          .header_endings = {},
          .scales = true,
          .begins = [](std::string_view) { return true; },
          .open = open_nifti,
          .write = write_nifti_volume};
}

}  // namespace fiducial
