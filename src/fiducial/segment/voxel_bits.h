#pragma once

#include <cstdint>

#include "fiducial/image/mask.h"
#include "fiducial/spatial/surface_points.h"

namespace fiducial {

// Sets of voxels as bits, 64 at once, for work that looks at neighbours. All of one call have the same
// extent.

// The set whose voxels the function names; x, y and z ascend, x fastest.
template <typename Inside>
PointLattice bits_where(const Extent& extent, Inside inside) {
  PointLattice out(extent);
  for (std::int64_t z = 0; z < extent.z; ++z) {
    for (std::int64_t y = 0; y < extent.y; ++y) {
      std::uint64_t* line = out.row(y, z);
      for (std::int64_t x = 0; x < extent.x; ++x) {
        if (inside(x, y, z))
          line[x / PointLattice::word_bits] |= std::uint64_t{1} << (x % PointLattice::word_bits);
      }
    }
  }
  return out;
}

PointLattice both_of(const PointLattice& a, const PointLattice& b);
PointLattice either_of(const PointLattice& a, const PointLattice& b);
PointLattice without(const PointLattice& a, const PointLattice& b);
PointLattice outside_of(const PointLattice& a);

// A ball of a radius in mm, nearly: steps to the six neighbours and to all 26 take turns, and an axis of
// thick slices steps less often. Beyond the edge of the volume nothing is known: shrinking does not start
// there.
PointLattice grown(const PointLattice& bits, const Vec3& spacing_mm, double radius_mm);
PointLattice shrunk(const PointLattice& bits, const Vec3& spacing_mm, double radius_mm);
PointLattice opened(const PointLattice& bits, const Vec3& spacing_mm, double radius_mm);
PointLattice closed(const PointLattice& bits, const Vec3& spacing_mm, double radius_mm);

// The seeds with what is connected to them inside the allowed set, at most steps voxels away.
PointLattice spread(PointLattice seeds, const PointLattice& allowed, int steps);

// Holes of every slice of the third axis are filled: what cannot reach the slice's edge without crossing the
// set.
PointLattice slices_filled(const PointLattice& bits);

// Sets the bits begin .. end-1 of a row.
void set_bits(std::uint64_t* row, std::int64_t begin, std::int64_t end);

// A slice of the third axis as a mask of one slice.
Mask mask_of_slice(const PointLattice& bits, std::int64_t z);
Mask mask_of_bits(const PointLattice& bits, const Affine& affine = {});
PointLattice bits_of_mask(const Mask& mask);

}  // namespace fiducial
