#pragma once

#include <cstdint>
#include <vector>

#include "fiducial/base/random.h"
#include "fiducial/geometry/affine.h"
#include "fiducial/geometry/extent.h"

namespace fiducial {

// A smooth random field: values in [-1, 1] at lattice points one unit apart, blended between them.
// It repeats after 32 units.
class SmoothNoise {
 public:
  explicit SmoothNoise(Random& random);
  double at(double x, double y, double z) const;
  double at(const Vec3& p, double unit_mm) const {
    return at(p[0] / unit_mm, p[1] / unit_mm, p[2] / unit_mm);
  }

 private:
  std::vector<float> lattice_;
};

// Blurs every slice with (1 6 1)/8 along x and y: the point spread of a scanner.
void blur_slices(const Extent& extent, std::vector<std::int16_t>& voxels);

// One slice of scanner noise: zero mean, standard deviation close to sigma, correlated over about two voxels.
std::vector<std::int16_t> noise_slice(const Extent& extent, double sigma, Random& random);

}  // namespace fiducial
