#include "fiducial/spatial/surface_coverage.h"

#include <algorithm>
#include <cmath>

#include "fiducial/spatial/square_mm.h"

namespace fiducial {

namespace {

// A neighbouring row and how many steps along x are still within the tolerance there.
struct RowReach {
  std::int64_t dy = 0;
  std::int64_t dz = 0;
  std::int64_t reach = 0;
};

std::vector<RowReach> rows_within(const Extent& extent, const Vec3& spacing_mm, double tolerance_mm) {
  const auto within = [&](std::int64_t dx, std::int64_t dy, std::int64_t dz) {
    const double square =
        (square_mm(dx, spacing_mm[0]) + square_mm(dy, spacing_mm[1])) + square_mm(dz, spacing_mm[2]);
    return std::sqrt(square) <= tolerance_mm;
  };
  std::vector<RowReach> out;
  for (std::int64_t dz = 0; dz < extent.z && within(0, 0, dz); ++dz) {
    for (std::int64_t dy = 0; dy < extent.y && within(0, dy, dz); ++dy) {
      std::int64_t reach = 0;
      while (reach + 1 < extent.x && within(reach + 1, dy, dz)) ++reach;
      out.push_back({dy, dz, reach});
      if (dy != 0) out.push_back({-dy, dz, reach});
      if (dz != 0) out.push_back({dy, -dz, reach});
      if (dy != 0 && dz != 0) out.push_back({-dy, -dz, reach});
    }
  }
  return out;
}

// A row that grows to both sides; padded like those of a lattice.
class GrowingRow {
 public:
  explicit GrowingRow(std::int64_t words)
      : words_(words), bits_(static_cast<std::size_t>(words + 2)), grown_(bits_) {}

  const std::uint64_t* after_growing(const std::uint64_t* row, std::int64_t reach) {
    if (reach == 0) return row;
    std::copy(row - 1, row + words_ + 1, bits_.begin());
    // Grown by r, a point covers at least r + 1 places even at the end of a row, so that a step of r + 1
    // leaves no gap.
    for (std::int64_t grown = 0; grown < reach;) {
      const std::int64_t step = std::min({grown + 1, reach - grown, std::int64_t{63}});
      grow(static_cast<unsigned>(step));
      grown += step;
    }
    return bits_.data() + 1;
  }

 private:
  void grow(unsigned step) {
    for (std::size_t w = 1; w + 1 < bits_.size(); ++w) {
      const std::uint64_t up = bits_[w] << step | bits_[w - 1] >> (64 - step);
      const std::uint64_t down = bits_[w] >> step | bits_[w + 1] << (64 - step);
      grown_[w] = bits_[w] | up | down;
    }
    bits_.swap(grown_);
  }

  std::int64_t words_;
  std::vector<std::uint64_t> bits_;
  std::vector<std::uint64_t> grown_;
};

std::vector<bool> rows_with_points(const PointLattice& points) {
  std::vector<bool> out;
  for (std::int64_t z = 0; z < points.extent().z; ++z) {
    for (std::int64_t y = 0; y < points.extent().y; ++y) {
      const std::uint64_t* row = points.row(y, z);
      out.push_back(std::any_of(row, row + points.words(), [](std::uint64_t word) { return word != 0; }));
    }
  }
  return out;
}

}  // namespace

PointLattice covered_points(const PointLattice& points, const PointLattice& by, const Vec3& spacing_mm,
                            double tolerance_mm) {
  FIDUCIAL_ASSERT(points.extent() == by.extent());
  const Extent& extent = points.extent();
  PointLattice out(extent);
  const std::vector<RowReach> rows = rows_within(extent, spacing_mm, tolerance_mm);
  const std::vector<bool> wanted = rows_with_points(points);
  const std::vector<bool> offered = rows_with_points(by);
  GrowingRow growing(by.words());
  for (std::int64_t z = 0; z < extent.z; ++z) {
    for (std::int64_t y = 0; y < extent.y; ++y) {
      if (!wanted[static_cast<std::size_t>(y + extent.y * z)]) continue;
      std::uint64_t* covered = out.row(y, z);
      for (const RowReach& near : rows) {
        const std::int64_t other_y = y + near.dy;
        const std::int64_t other_z = z + near.dz;
        if (!by.has_row(other_y, other_z)) continue;
        if (!offered[static_cast<std::size_t>(other_y + extent.y * other_z)]) continue;
        const std::uint64_t* grown = growing.after_growing(by.row(other_y, other_z), near.reach);
        for (std::int64_t w = 0; w < out.words(); ++w) covered[w] |= grown[w];
      }
      const std::uint64_t* row = points.row(y, z);
      for (std::int64_t w = 0; w < out.words(); ++w) covered[w] &= row[w];
    }
  }
  return out;
}

}  // namespace fiducial
