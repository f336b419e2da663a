#pragma once

#include <cstdint>
#include <vector>

#include "fiducial/dicom/reader_records.h"
#include "fiducial/image/nifti_file.h"

namespace fiducial {

// Stored values with slope and intercept applied, once. int16 as long as every value is a whole number in its
// range, float32 from the first one that is not. Memory is taken with the first slice that was decoded:
// headers alone promise anything.
class HounsfieldVolume {
 public:
  explicit HounsfieldVolume(const Extent& extent);

  // The values of slice z. The slice has as many values as the extent promises.
  void put(std::int64_t z, const StoredSlice& slice, double slope, double intercept);

  // The volume as an image on a grid; leaves this empty.
  NiftiImage image(const Grid& grid) &&;

 private:
  void widen();

  std::size_t slice_values_;
  std::size_t values_;
  std::vector<std::int16_t> whole_;
  std::vector<float> real_;
};

}  // namespace fiducial
