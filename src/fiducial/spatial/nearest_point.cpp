#include "fiducial/spatial/nearest_point.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numeric>

namespace fiducial {

namespace {

constexpr double farthest = std::numeric_limits<double>::infinity();

using LatticePlace = std::array<std::int32_t, 3>;

// A point of the set and how far it is.
struct Found {
  double square_mm2 = farthest;
  LatticePlace place{};
};

// ((dx sx)^2 + (dy sy)^2) + (dz sz)^2, in that order, from a table a lattice axis.
class Squares {
 public:
  Squares(const Extent& extent, const Vec3& spacing_mm) {
    for (std::size_t axis = 0; axis < 3; ++axis) {
      const std::int64_t length = extent[static_cast<int>(axis)];
      for (std::int64_t step = 0; step <= length; ++step) {
        const double mm = static_cast<double>(step) * spacing_mm[axis];
        of_step_[axis].push_back(mm * mm);
      }
    }
  }

  double operator()(std::int32_t dx, std::int32_t dy, std::int32_t dz) const {
    return (at(0, dx) + at(1, dy)) + at(2, dz);
  }
  double between(const LatticePlace& a, const LatticePlace& b) const {
    return (*this)(std::abs(a[0] - b[0]), std::abs(a[1] - b[1]), std::abs(a[2] - b[2]));
  }

 private:
  double at(std::size_t axis, std::int32_t step) const {
    return of_step_[axis].data()[static_cast<std::size_t>(step)];
  }

  std::array<std::vector<double>, 3> of_step_;
};

// A box of points, both ends included.
struct Box {
  LatticePlace low{};
  LatticePlace high{};

  // A lower bound of the distance to any point inside; 0 from within.
  double square_from(const LatticePlace& at, const Squares& square) const {
    LatticePlace gap{};
    for (std::size_t i = 0; i < 3; ++i) gap[i] = std::max({low[i] - at[i], at[i] - high[i], 0});
    return square(gap[0], gap[1], gap[2]);
  }
  void include(const Box& other) {
    for (std::size_t i = 0; i < 3; ++i) {
      low[i] = std::min(low[i], other.low[i]);
      high[i] = std::max(high[i], other.high[i]);
    }
  }
};

// A tree of boxes over cubes of the lattice; finds points that are far away.
class BoxTree {
 public:
  BoxTree(const PointLattice& points, const Squares& square, const Vec3& spacing_mm)
      : square_(square), spacing_mm_(spacing_mm) {
    std::vector<Cube> cubes = collect(points);
    nodes_.reserve(2 * cubes.size());
    build(cubes, 0, cubes.size());
  }

  // Improves what is known already, if anything is nearer.
  Found improved(const LatticePlace& at, Found best) const {
    std::array<Pending, 128> stack;
    std::size_t depth = 0;
    stack[depth++] = {0, nodes_[0].box.square_from(at, square_)};
    while (depth > 0) {
      const Pending next = stack[--depth];
      if (next.square_mm2 >= best.square_mm2) continue;
      const Node& node = nodes_[next.node];
      if (node.second == 0) {
        search_leaf(node, at, best);
        continue;
      }
      Pending near{next.node + 1, nodes_[next.node + 1].box.square_from(at, square_)};
      Pending far{node.second, nodes_[node.second].box.square_from(at, square_)};
      if (far.square_mm2 < near.square_mm2) std::swap(near, far);
      if (far.square_mm2 < best.square_mm2) stack[depth++] = far;
      if (near.square_mm2 < best.square_mm2) stack[depth++] = near;
    }
    return best;
  }

 private:
  static constexpr int cube_shift = 2;  // cubes of 4 x 4 x 4

  struct Cube {
    Box box;
    std::uint32_t begin = 0;  // into places_
    std::uint32_t end = 0;
  };
  // The first child follows its parent; a leaf has no second.
  struct Node {
    Box box;
    std::uint32_t second = 0;
    std::uint32_t begin = 0;
    std::uint32_t end = 0;
  };
  struct Pending {
    std::uint32_t node = 0;
    double square_mm2 = 0;
  };

  // Sorts the points by cube and gives every cube that has some.
  std::vector<Cube> collect(const PointLattice& points) {
    const Extent& extent = points.extent();
    const auto cubes_along = [](std::int64_t length) { return (length >> cube_shift) + 1; };
    const std::int64_t across = cubes_along(extent.x);
    const std::int64_t layer = across * cubes_along(extent.y);
    const auto cube_of = [&](std::int64_t x, std::int64_t y, std::int64_t z) {
      return static_cast<std::size_t>((x >> cube_shift) + across * (y >> cube_shift) +
                                      layer * (z >> cube_shift));
    };
    std::vector<std::uint32_t> begins(static_cast<std::size_t>(layer * cubes_along(extent.z)) + 1);
    points.for_each([&](auto x, auto y, auto z) { ++begins[cube_of(x, y, z) + 1]; });
    std::partial_sum(begins.begin(), begins.end(), begins.begin());
    places_.resize(begins.back());
    std::vector<std::uint32_t> next(begins.begin(), begins.end() - 1);
    points.for_each([&](auto x, auto y, auto z) {
      places_[next[cube_of(x, y, z)]++] = {static_cast<std::int32_t>(x), static_cast<std::int32_t>(y),
                                           static_cast<std::int32_t>(z)};
    });
    std::vector<Cube> out;
    for (std::size_t i = 0; i + 1 < begins.size(); ++i) {
      if (begins[i] == begins[i + 1]) continue;
      Cube cube{{places_[begins[i]], places_[begins[i]]}, begins[i], begins[i + 1]};
      for (std::uint32_t p = cube.begin; p < cube.end; ++p) cube.box.include({places_[p], places_[p]});
      out.push_back(cube);
    }
    return out;
  }

  std::uint32_t build(std::vector<Cube>& cubes, std::size_t begin, std::size_t end) {
    const auto index = static_cast<std::uint32_t>(nodes_.size());
    Box box = cubes[begin].box;
    for (std::size_t i = begin; i < end; ++i) box.include(cubes[i].box);
    nodes_.push_back({box, 0, cubes[begin].begin, cubes[begin].end});
    if (end - begin == 1) return index;
    const std::size_t axis = longest_axis(box);
    const std::size_t middle = begin + (end - begin) / 2;
    std::nth_element(cubes.begin() + static_cast<std::ptrdiff_t>(begin),
                     cubes.begin() + static_cast<std::ptrdiff_t>(middle),
                     cubes.begin() + static_cast<std::ptrdiff_t>(end),
                     [axis](const Cube& a, const Cube& b) { return a.box.low[axis] < b.box.low[axis]; });
    build(cubes, begin, middle);
    const std::uint32_t second = build(cubes, middle, end);
    nodes_[index].second = second;
    return index;
  }

  std::size_t longest_axis(const Box& box) const {
    std::size_t axis = 0;
    const auto length_mm = [&](std::size_t i) { return (box.high[i] - box.low[i]) * spacing_mm_[i]; };
    for (std::size_t i = 1; i < 3; ++i) {
      if (length_mm(i) > length_mm(axis)) axis = i;
    }
    return axis;
  }

  void search_leaf(const Node& node, const LatticePlace& at, Found& best) const {
    for (std::uint32_t p = node.begin; p < node.end; ++p) {
      const double square = square_.between(places_[p], at);
      if (square < best.square_mm2) best = {square, places_[p]};
    }
  }

  const Squares& square_;
  Vec3 spacing_mm_;
  std::vector<Node> nodes_;
  std::vector<LatticePlace> places_;
};

// A neighbouring row and the least squared distance to any of its points.
struct RowOffset {
  std::int32_t dy = 0;
  std::int32_t dz = 0;
  double square_mm2 = 0;
};

// Finds the nearest point of a set; close ones by looking at rows of bits, others by the tree.
class NearestSearch {
 public:
  NearestSearch(const PointLattice& points, const Vec3& spacing_mm)
      : points_(points),
        square_(points.extent(), spacing_mm),
        tree_(points, square_, spacing_mm),
        window_square_mm2_(window_reach * spacing_mm[0] * window_reach * spacing_mm[0]) {
    const double largest_mm = *std::max_element(spacing_mm.begin(), spacing_mm.end());
    near_mm_ = near_steps * largest_mm;
    for (std::int32_t dz = -near_steps; dz <= near_steps; ++dz) {
      for (std::int32_t dy = -near_steps; dy <= near_steps; ++dy) {
        if (std::abs(dy) > points.extent().y || std::abs(dz) > points.extent().z) continue;
        near_rows_.push_back({dy, dz, square_(0, std::abs(dy), std::abs(dz))});
      }
    }
    std::sort(near_rows_.begin(), near_rows_.end(),
              [](const RowOffset& a, const RowOffset& b) { return a.square_mm2 < b.square_mm2; });
    complete_square_mm2_ = std::min(near_rows_limit(spacing_mm), window_square_mm2_);
  }

  // `before` is what was found for the point visited before this one, at `before_at`.
  Found nearest(const LatticePlace& at, const Found& before, const LatticePlace& before_at) const {
    Found best;
    double least_mm = 0;  // no point is nearer than this
    if (before.square_mm2 < farthest) {
      best = {square_.between(at, before.place), before.place};
      least_mm = std::sqrt(before.square_mm2) - std::sqrt(square_.between(at, before_at));
    }
    if (best.square_mm2 == 0) return best;
    if (least_mm < near_mm_) {
      look_at_rows(at, best);
      if (best.square_mm2 <= complete_square_mm2_) return best;
    }
    return tree_.improved(at, best);
  }

 private:
  static constexpr std::int32_t near_steps = 4;
  static constexpr std::int32_t window_reach = 31;

  // Rows nearer than this are all among near_rows_.
  static double near_rows_limit(const Vec3& spacing_mm) {
    const double least_mm = (near_steps + 1) * std::min(spacing_mm[1], spacing_mm[2]);
    return least_mm * least_mm;
  }

  void look_at_rows(const LatticePlace& at, Found& best) const {
    for (const RowOffset& offset : near_rows_) {
      if (offset.square_mm2 >= best.square_mm2) return;
      const std::int32_t y = at[1] + offset.dy;
      const std::int32_t z = at[2] + offset.dz;
      if (!points_.has_row(y, z)) continue;
      // Bit 32 of the window is x itself; the lowest bit has no partner above.
      const std::uint64_t window = bits_around(points_.row(y, z), at[0]) & ~std::uint64_t{1};
      if (window == 0) continue;
      const std::int32_t after = std::countr_zero(window >> 32 | std::uint64_t{1} << 32);
      const std::int32_t before = 1 + std::countl_zero(window << 32 | std::uint64_t{1} << 31);
      const std::int32_t dx = std::min(after, before);
      const double square = square_.between({at[0] + dx, y, z}, at);
      if (square < best.square_mm2) best = {square, {after <= before ? at[0] + dx : at[0] - dx, y, z}};
    }
  }

  // Bits x-32 .. x+31 of a row.
  static std::uint64_t bits_around(const std::uint64_t* row, std::int64_t x) {
    const std::int64_t first = x - 32;
    const std::int64_t word = first >> 6;
    const auto shift = static_cast<unsigned>(first & 63);
    if (shift == 0) return row[word];
    return row[word] >> shift | row[word + 1] << (64U - shift);
  }

  const PointLattice& points_;
  Squares square_;
  BoxTree tree_;
  double window_square_mm2_;
  double near_mm_ = 0;
  double complete_square_mm2_ = 0;
  std::vector<RowOffset> near_rows_;
};

}  // namespace

std::vector<double> nearest_distances_mm(const PointLattice& from, const PointLattice& to,
                                         const Vec3& spacing_mm) {
  FIDUCIAL_ASSERT(from.extent() == to.extent());
  FIDUCIAL_ASSERT(!to.empty());
  const NearestSearch search(to, spacing_mm);
  std::vector<double> out;
  out.reserve(static_cast<std::size_t>(from.count()));
  Found before;
  LatticePlace before_at{};
  from.for_each([&](std::int64_t x, std::int64_t y, std::int64_t z) {
    const LatticePlace at{static_cast<std::int32_t>(x), static_cast<std::int32_t>(y),
                          static_cast<std::int32_t>(z)};
    before = search.nearest(at, before, before_at);
    before_at = at;
    out.push_back(std::sqrt(before.square_mm2));
  });
  return out;
}

}  // namespace fiducial
