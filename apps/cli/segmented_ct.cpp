#include "segmented_ct.h"

#include "fiducial/datasets/volume_file.h"

namespace fiducial::cli {

Path description_of(const Path& output) {
  std::string name = output.string();
  for (const std::string_view ending : {".gz", ".nii"}) {
    if (name.ends_with(ending)) name.resize(name.size() - ending.size());
  }
  return name + ".json";
}

Result<ChestSegmentation> segment_ct(const Path& ct, const Path& output) {
  FIDUCIAL_TRY(NiftiStream stream, open_volume(ct));
  FIDUCIAL_TRY(NiftiImage image, read_nifti(std::move(stream)).in_file(ct.string()));
  FIDUCIAL_TRY(ChestSegmentation found, segment_chest(std::move(image)).in_file(ct.string()));
  FIDUCIAL_TRY(const NiftiImage labels, encoded(found));
  FIDUCIAL_TRY_DONE(write_nifti(output, labels));
  FIDUCIAL_TRY_DONE(write_file(description_of(output), found.json().pretty()));
  return found;
}

}  // namespace fiducial::cli
