#pragma once

#include <string>

#include "fiducial/base/result.h"

#include "console.h"
#include "masks_conversion.h"

namespace fiducial::cli {

// `fiducial convert --like SERIES`: masks onto the slices of a DICOM series, and contours that were drawn on
// it.
struct DicomConversion {
  MasksConversion masks;
  std::string like;          // the folder of the series
  std::string segmentation;  // "binary" or "labelmap", of an OUT that ends in .dcm
  bool deidentified = false;
};

Result<int> convert_dicom(const DicomConversion& conversion, Console& console);

}  // namespace fiducial::cli
