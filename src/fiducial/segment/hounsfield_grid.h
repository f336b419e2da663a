#pragma once

#include <cstdint>
#include <vector>

#include "fiducial/base/note.h"
#include "fiducial/base/result.h"
#include "fiducial/geometry/orientation.h"
#include "fiducial/image/nifti_file.h"

namespace fiducial {

// A CT in Hounsfield units with its axes towards left, back and head, whatever those of its file are.
struct HounsfieldGrid {
  Extent extent;
  Vec3 spacing_mm{1, 1, 1};
  std::vector<std::int16_t> hu;  // -1024 .. 3071, x fastest

  std::int16_t at(std::int64_t x, std::int64_t y, std::int64_t z) const {
    return hu[static_cast<std::size_t>(x + extent.x * (y + extent.y * z))];
  }
  double voxel_ml() const { return spacing_mm[0] * spacing_mm[1] * spacing_mm[2] / 1000; }
};

// A CT as it is worked on, and how to get back to its file.
struct OrientedCt {
  HounsfieldGrid grid;
  Reorientation from_file;  // turns arrays of the file into the grid's
  Grid file_grid;
  Notes notes;
};

// Applies slope and intercept, and also those that the header lost: values as a scanner stores them, or
// rescaled twice, are recognised and noted. Refuses other ranks than 3, an affine without directions, what
// looks like a label map and voxels that are no real numbers; voxels that are no numbers are air.
Result<OrientedCt> oriented_ct(NiftiImage image);

// Means of blocks of voxels whose sides are about least_mm, where the voxels are smaller.
HounsfieldGrid coarser(const HounsfieldGrid& fine, double least_mm);
// How many voxels a block of coarser() has along each axis.
std::array<std::int64_t, 3> coarsening(const HounsfieldGrid& fine, double least_mm);

}  // namespace fiducial
