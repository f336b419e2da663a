// DICOM files on any bytes: the data set, then segmentations and structure sets as masks, and
// de-identification.
#include "fiducial/dicom/contours.h"
#include "fiducial/dicom/deidentify.h"

#include "fuzz_input.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* raw, std::size_t size) {
  using namespace fiducial;
  auto file = parse_dicom(fuzz::view(raw, size));
  if (!file.ok()) return 0;
  const auto image = read_segmentation(*file);
  if (image.ok()) fuzz::require(image->runs.size() == image->segments.size() && image->grid.affine.finite());
  SegmentedSeries series{.grid = {{16, 16, 4}, {}}, .first = {}, .slices = {}};
  series.first.set(0x00200052, "UI", "1.2.3");
  const auto contours = read_structure_set(*file, series);
  if (contours.ok()) fuzz::require(contours->masks.size() == contours->segments.size());
  deidentify(file->data);
  if (!file->fragments.empty()) return 0;
  // What was written must be read.
  fuzz::require(parse_dicom(dicom_bytes(*file)).ok());
  return 0;
}
