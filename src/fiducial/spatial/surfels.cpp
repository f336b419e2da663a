#include "fiducial/spatial/surfels.h"

#include <bit>
#include <cmath>

namespace fiducial {

namespace {

// The four voxel rows around a row of corners.
struct RowsAround {
  const std::uint64_t* lower_lower;  // y-1, z-1
  const std::uint64_t* lower_upper;  // y-1, z
  const std::uint64_t* upper_lower;  // y, z-1
  const std::uint64_t* upper_upper;  // y, z
};

std::uint64_t bit_at(const std::uint64_t* row, std::int64_t x) {
  return row[x >> 6] >> (static_cast<std::uint64_t>(x) & 63U) & 1U;
}

std::uint8_t code_at(const RowsAround& rows, std::int64_t x) {
  const auto half = [&rows](std::int64_t at) {
    return bit_at(rows.lower_lower, at) << 3 | bit_at(rows.lower_upper, at) << 2 |
           bit_at(rows.upper_lower, at) << 1 | bit_at(rows.upper_upper, at);
  };
  return static_cast<std::uint8_t>(half(x - 1) << 4 | half(x));
}

// Collects the corners of one row after the other.
class SurfelCollector {
 public:
  SurfelCollector(const PointLattice& voxels, std::int64_t corner_planes)
      : voxels_(voxels),
        nothing_(static_cast<std::size_t>(voxels.words() + 2)),
        out_{PointLattice({voxels.extent().x + 1, voxels.extent().y + 1, corner_planes}), {}} {}

  // The corners at (y, z) between the voxel slices below and above.
  void add_row(std::int64_t y, std::int64_t z, std::int64_t below, std::int64_t above) {
    const RowsAround rows{row(y - 1, below), row(y - 1, above), row(y, below), row(y, above)};
    std::uint64_t* corners = out_.corners.row(y, z);
    std::uint64_t any_before = 0;
    std::uint64_t all_before = 0;
    for (std::int64_t w = 0; w < out_.corners.words(); ++w) {
      // Corners may reach one word further than voxels; that word of a voxel row is padding.
      const std::uint64_t a = rows.lower_lower[w];
      const std::uint64_t b = rows.lower_upper[w];
      const std::uint64_t c = rows.upper_lower[w];
      const std::uint64_t d = rows.upper_upper[w];
      const std::uint64_t any = a | b | c | d;
      const std::uint64_t all = a & b & c & d;
      corners[w] = (any | any << 1 | any_before >> 63) & ~(all & (all << 1 | all_before >> 63));
      any_before = any;
      all_before = all;
      for (std::uint64_t left = corners[w]; left != 0; left &= left - 1) {
        out_.codes.push_back(code_at(rows, w * PointLattice::word_bits + std::countr_zero(left)));
      }
    }
  }

  Surfels take() { return std::move(out_); }

 private:
  const std::uint64_t* row(std::int64_t y, std::int64_t z) const {
    return voxels_.has_row(y, z) ? voxels_.row(y, z) : nothing_.data() + 1;
  }

  const PointLattice& voxels_;
  std::vector<std::uint64_t> nothing_;
  Surfels out_;
};

// Corners of a cube are numbered by the bits of a code; flipping a bit of the number moves along an axis.
constexpr unsigned axis_step[] = {4, 2, 1};

// The corners of the set that are joined to one of them by edges of the cube, inside the set.
unsigned joined_corners(unsigned set, unsigned corner) {
  unsigned group = 1U << corner;
  for (unsigned grown = 0; grown != group;) {
    grown = group;
    for (unsigned from = 0; from < 8; ++from) {
      if ((grown >> from & 1U) == 0) continue;
      for (const unsigned step : axis_step) group |= 1U << (from ^ step) & set;
    }
  }
  return group;
}

// How many edges of the cube along an axis have both ends in the group.
int edges_along(unsigned group, std::size_t axis) {
  int count = 0;
  for (unsigned corner = 0; corner < 8; ++corner) {
    const unsigned other = corner ^ axis_step[axis];
    if (corner < other && (group >> corner & 1U) != 0 && (group >> other & 1U) != 0) ++count;
  }
  return count;
}

// The axis of the middle edge of a path of four corners: the one whose ends both have two neighbours.
std::size_t middle_axis(unsigned path) {
  const auto neighbours = [path](unsigned corner) {
    int count = 0;
    for (const unsigned step : axis_step) count += static_cast<int>(path >> (corner ^ step) & 1U);
    return count;
  };
  for (std::size_t axis = 0; axis < 3; ++axis) {
    for (unsigned corner = 0; corner < 8; ++corner) {
      const unsigned other = corner ^ axis_step[axis];
      const bool inside = (path >> corner & 1U) != 0 && (path >> other & 1U) != 0;
      if (inside && neighbours(corner) == 2 && neighbours(other) == 2) return axis;
    }
  }
  FIDUCIAL_ASSERT(false);
  return 0;
}

// Areas of triangles in a cell of a given spacing, from their vector areas in a unit cube.
class CellAreas {
 public:
  explicit CellAreas(const Vec3& spacing_mm)
      : faces_{spacing_mm[1] * spacing_mm[2], spacing_mm[0] * spacing_mm[2], spacing_mm[0] * spacing_mm[1]} {}

  // The triangles that separate a group of joined corners from the rest of the cube, cutting edges halfway.
  double around(unsigned group) const {
    switch (std::popcount(group)) {
      case 1:
        return triangle({1, 1, 1});
      case 2:  // a rectangle along the shared edge
        return 2 * triangle(with(2, axis_with_edges(group, 1), 0));
      case 3:  // a pentagon around an L; the L lies across the axis it has no edge along
        return triangle(with(0, axis_with_edges(group, 0), 4)) + triangle({2, 2, 2}) + triangle({1, 1, 1});
      default:
        return around_four(group);
    }
  }

 private:
  static Vec3 with(double others, std::size_t axis, double value) {
    Vec3 out{others, others, others};
    out[axis] = value;
    return out;
  }

  static std::size_t axis_with_edges(unsigned group, int edges) {
    std::size_t axis = 0;
    while (edges_along(group, axis) != edges) ++axis;
    return axis;
  }

  double around_four(unsigned group) const {
    int edges = 0;
    bool has_hub = false;
    for (std::size_t axis = 0; axis < 3; ++axis) edges += edges_along(group, axis);
    for (unsigned corner = 0; corner < 8; ++corner) {
      unsigned star = 1U << corner;
      for (const unsigned step : axis_step) star |= 1U << (corner ^ step);
      has_hub = has_hub || star == group;
    }
    if (edges == 4) return 2 * triangle(with(0, axis_with_edges(group, 0), 4));  // a face
    if (has_hub) return 2 * triangle({1, 1, 1}) + 2 * triangle({2, 2, 2});       // a flat hexagon
    const std::size_t middle = middle_axis(group);                               // a bent hexagon
    return triangle({1, 1, 1}) + triangle({3, 3, 3}) + triangle(with(2, (middle + 1) % 3, 0)) +
           triangle(with(2, (middle + 2) % 3, 0));
  }

  // A triangle whose vector area in the unit cube is that many eighths.
  double triangle(const Vec3& eighths) const {
    double sum = 0;
    for (std::size_t i = 0; i < 3; ++i) sum += (eighths[i] / 8 * faces_[i]) * (eighths[i] / 8 * faces_[i]);
    return std::sqrt(sum);
  }

  Vec3 faces_;
};

}  // namespace

Surfels surfels(const PointLattice& voxels) {
  SurfelCollector collector(voxels, voxels.extent().z + 1);
  for (std::int64_t z = 0; z <= voxels.extent().z; ++z) {
    for (std::int64_t y = 0; y <= voxels.extent().y; ++y) collector.add_row(y, z, z - 1, z);
  }
  return collector.take();
}

Surfels contour(const PointLattice& pixels) {
  FIDUCIAL_ASSERT(pixels.extent().z == 1);
  SurfelCollector collector(pixels, 1);
  for (std::int64_t y = 0; y <= pixels.extent().y; ++y) collector.add_row(y, 0, 0, 0);
  return collector.take();
}

std::array<double, 256> surfel_areas_mm2(const Vec3& spacing_mm) {
  const CellAreas cell(spacing_mm);
  std::array<double, 256> out{};
  for (unsigned code = 1; code < 255; ++code) {
    // The fewer side is cut off, so that a code and its complement agree.
    unsigned left = std::popcount(code) > 4 ? ~code & 0xFFU : code;
    while (left != 0) {
      const unsigned group = joined_corners(left, static_cast<unsigned>(std::countr_zero(left)));
      out[code] += cell.around(group);
      left &= ~group;
    }
  }
  return out;
}

}  // namespace fiducial
