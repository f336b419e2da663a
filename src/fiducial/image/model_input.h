#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "fiducial/base/result.h"
#include "fiducial/geometry/grid.h"
#include "fiducial/image/nifti_file.h"

namespace fiducial {

// What models are given of a CT: the steps that published code does with NumPy and PyTorch, value for value
// as far as 32-bit floats go.

// A volume of floats, x fastest.
struct FloatVolume {
  Extent extent;
  std::vector<float> values;
};

// The voxels of a 3D image with its slope and intercept applied: Hounsfield units of a CT.
Result<FloatVolume> float_volume(const NiftiImage& image);
// As an image on a grid.
NiftiImage float_image(const FloatVolume& volume, const Affine& affine);

// numpy.clip.
void clip(FloatVolume& volume, float low, float high);

// (x - mean) / max(std, 1e-8), with the population's standard deviation.
void standardise(FloatVolume& volume);

// Every voxel is the mean of the input voxels it covers, wholly or in part, each counting as one: voxel i of
// n covers floor(i in / n) to ceil((i + 1) in / n). torch.nn.functional.interpolate(mode="area"), which is
// adaptive average pooling; masks become fractions. Refuses an extent below 1.
Result<FloatVolume> area_resized(const FloatVolume& volume, const Extent& extent);

// Where a volume of another extent lies when it spans the same outer faces.
Affine resized_affine(const Grid& grid, const Extent& extent);

// Low corners of windows that cover a volume, half a window apart, the last one shifted back inside; x
// slowest. An axis shorter than the window has one at 0.
std::vector<std::array<std::int64_t, 3>> sliding_windows(const Extent& extent, const Extent& window);

// The weight of each voxel of a window: a bell around voxel size / 2, sigma an eighth of the size, 10 at its
// top.
FloatVolume window_weights(const Extent& window);

}  // namespace fiducial
