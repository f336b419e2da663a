#include "fiducial/synth/chest_volume.h"

#include <cmath>

#include "fiducial/synth/chest_shapes.h"

namespace fiducial {

namespace {

// The scanner's table height: where the lowest slice lies in the world.
constexpr double lowest_slice_mm = -312.5;

// The bend of a chest at a height: nothing at the neck and below the diaphragm.
double bend(double z) { return bump((z - 130) / 130); }

double middle(std::int64_t count) { return static_cast<double>(count - 1) / 2; }

}  // namespace

Vec3 ChestFrame::position(const Voxel& voxel) const {
  const double z = static_cast<double>(voxel[2]) * spacing_mm[2] / body_scale[2];
  const double x = (static_cast<double>(voxel[0]) - middle(extent.x)) * spacing_mm[0] / body_scale[0];
  return {x - scoliosis_mm * bend(z),
          (static_cast<double>(voxel[1]) - middle(extent.y)) * spacing_mm[1] / body_scale[1], z};
}

Voxel ChestFrame::nearest_voxel(const Vec3& p) const {
  const auto rounded = [](double value) { return static_cast<std::int64_t>(std::floor(value + 0.5)); };
  const double x = p[0] + scoliosis_mm * bend(p[2]);
  return {rounded(x * body_scale[0] / spacing_mm[0] + middle(extent.x)),
          rounded(p[1] * body_scale[1] / spacing_mm[1] + middle(extent.y)),
          rounded(p[2] * body_scale[2] / spacing_mm[2])};
}

bool ChestFrame::contains(const Voxel& voxel) const {
  for (std::size_t i = 0; i < 3; ++i) {
    if (voxel[i] < 0 || voxel[i] >= extent[static_cast<int>(i)]) return false;
  }
  return true;
}

std::size_t ChestFrame::index(const Voxel& voxel) const {
  return static_cast<std::size_t>(voxel[0] + extent.x * (voxel[1] + extent.y * voxel[2]));
}

Affine ChestFrame::affine() const {
  Affine out;
  out.m = {{{-spacing_mm[0], 0, 0, middle(extent.x) * spacing_mm[0]},
            {0, -spacing_mm[1], 0, middle(extent.y) * spacing_mm[1]},
            {0, 0, spacing_mm[2], lowest_slice_mm}}};
  return out;
}

}  // namespace fiducial
