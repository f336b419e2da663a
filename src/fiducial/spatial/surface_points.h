#pragma once

#include <bit>
#include <cstdint>
#include <span>
#include <vector>

#include "fiducial/geometry/extent.h"
#include "fiducial/image/mask.h"

namespace fiducial {

// Points of an integer lattice, one bit each, in rows along x.
//
// Rows are padded: a row's span has one empty word before its first bit and one after its last, so that
// neighbours can be looked at without asking where the row ends. Bits outside the extent are never set.
class PointLattice {
 public:
  static constexpr std::int64_t word_bits = 64;

  explicit PointLattice(Extent extent);

  const Extent& extent() const { return extent_; }
  std::int64_t words() const { return words_; }  // of a row, without its padding
  std::int64_t count() const;
  bool empty() const { return count() == 0; }

  // words() words; index -1 and words() are the padding, which reads as 0.
  const std::uint64_t* row(std::int64_t y, std::int64_t z) const { return bits_.data() + start(y, z); }
  std::uint64_t* row(std::int64_t y, std::int64_t z) { return bits_.data() + start(y, z); }
  bool has_row(std::int64_t y, std::int64_t z) const {
    return y >= 0 && y < extent_.y && z >= 0 && z < extent_.z;
  }

  // Calls visit(x, y, z) for every point, x fastest.
  template <typename Visit>
  void for_each(Visit visit) const {
    for (std::int64_t z = 0; z < extent_.z; ++z) {
      for (std::int64_t y = 0; y < extent_.y; ++y) {
        const std::uint64_t* line = row(y, z);
        for (std::int64_t w = 0; w < words_; ++w) {
          for (std::uint64_t left = line[w]; left != 0; left &= left - 1) {
            visit(w * word_bits + std::countr_zero(left), y, z);
          }
        }
      }
    }
  }

 private:
  std::size_t start(std::int64_t y, std::int64_t z) const {
    return static_cast<std::size_t>((y + extent_.y * z) * (words_ + 2) + 1);
  }

  Extent extent_;
  std::int64_t words_;
  std::vector<std::uint64_t> bits_;
};

// The voxels of a mask inside a box; point (0, 0, 0) is the box's low corner.
PointLattice lattice_of(const Mask& mask, const VoxelBox& box);

// The smallest box that holds both masks; empty when both are.
VoxelBox united_bounds(const Mask& a, const Mask& b);

}  // namespace fiducial
