#include "fiducial/export/mask_output.h"

#include <vector>

#include "fiducial/image/label_encoder.h"

namespace fiducial {

namespace {

Result<NiftiImage> image_of(const Mask& mask) {
  std::vector<LabelRun> runs;
  runs.reserve(mask.runs().size());
  for (const MaskRun& run : mask.runs()) runs.push_back({run.row, run.begin, run.end, 1});
  const LabelMap labels(mask.grid(), std::move(runs));
  return encode_labels({&labels, 1}, ChannelAxis::none);
}

}  // namespace

Outcome write_mask(const Mask& mask, const Path& path) {
  FIDUCIAL_TRY(const NiftiImage image, image_of(mask));
  return write_nifti(path, image);
}

Outcome write_mask(const Mask& mask, const Path& path, const NiftiHeader& ct) {
  FIDUCIAL_TRY(NiftiImage image, image_of(mask));
  NiftiHeader& header = image.header();
  header.pixdim = ct.pixdim;
  header.qform_code = ct.qform_code;
  header.sform_code = ct.sform_code;
  header.quaternion = ct.quaternion;
  header.qoffset_mm = ct.qoffset_mm;
  header.sform = ct.sform;
  header.affine = ct.affine;
  header.xyzt_units = ct.xyzt_units;
  return write_nifti(path, image);
}

}  // namespace fiducial
