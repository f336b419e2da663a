#pragma once

#include <cstdint>
#include <string_view>

#include "fiducial/base/result.h"
#include "fiducial/geometry/grid.h"
#include "fiducial/image/nifti_file.h"

namespace fiducial {

// How values are taken where the voxels of two grids do not coincide.
enum class Interpolation {
  nearest,  // of labels: the value of the voxel whose box holds the place; half way, that of the higher index
  linear,   // of volumes: between the eight voxels around the place
};
std::string_view to_string(Interpolation interpolation);

struct Resampling {
  Interpolation interpolation = Interpolation::nearest;
  double outside = 0;  // what voxels beyond the source become; in nearest, as stored
  int threads = 0;     // 0: one a core
};

// The first three axes of an image on another grid; further axes are volumes of their own.
//
// Places beyond half a voxel around the source are outside; within it, values beyond the outermost voxels
// are those of the outermost ones: as ITK has it. Nearest keeps type, scaling and bytes; linear gives float32
// with the scaling applied. Refuses singular affines, linear of voxels that are no finite numbers, an outside
// that the type does not hold, and a target that no memory holds.
Result<NiftiImage> resampled(const NiftiImage& source, const Grid& target, const Resampling& how);

// How many voxels of a target lie within a source.
Result<std::int64_t> voxels_within(const Grid& source, const Grid& target);

// How many voxels of an image are not 0 as stored, and how many of them lie beyond a grid.
struct ForegroundCount {
  std::int64_t all = 0;
  std::int64_t beyond = 0;
};
Result<ForegroundCount> foreground_beyond(const NiftiImage& image, const Grid& target);

}  // namespace fiducial
