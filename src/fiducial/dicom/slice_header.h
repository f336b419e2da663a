#pragma once

#include <cstdint>
#include <string>

#include "fiducial/geometry/affine.h"

namespace fiducial {

// What a DICOM file says about one slice. Places are millimetres in DICOM's world, which is LPS+.
struct SliceHeader {
  std::size_t file = 0;  // index into the files of the series
  int frame = 0;         // in a file of several slices
  int frames = 1;
  std::string series;
  std::string frame_of_reference;
  std::string modality;
  std::string transfer_syntax;
  bool decodable = true;
  std::int64_t columns = 0;
  std::int64_t rows = 0;
  Vec3 position_mm{};            // of the first voxel's centre
  Vec3 row_direction{};          // in which the column index grows; of length 1
  Vec3 column_direction{};       // in which the row index grows; of length 1
  double column_spacing_mm = 0;  // between neighbours of a row
  double row_spacing_mm = 0;     // between neighbours of a column
  double stated_step_mm = 0;     // spacing between slices, else thickness; 0 where neither is given
  double slope = 1;
  double intercept = 0;
  bool rescale_given = true;
  bool shown_inverted = false;  // MONOCHROME1: low values are shown bright; values mean the same
  bool lossy = false;
  std::string refusal;  // why this slice cannot be part of a volume; geometry is not set then
};

}  // namespace fiducial
