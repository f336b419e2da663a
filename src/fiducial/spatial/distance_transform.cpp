#include "fiducial/spatial/distance_transform.h"

#include <limits>

#include "fiducial/spatial/square_mm.h"

namespace fiducial {

namespace {

constexpr double infinite = std::numeric_limits<double>::infinity();

// Replaces every value of a line by the least of value + squared step, looking outwards while that can win.
void spread_line(std::vector<double>& line, double spacing_mm, std::vector<double>& scratch) {
  scratch = line;
  const auto count = static_cast<std::int64_t>(line.size());
  for (std::int64_t i = 0; i < count; ++i) {
    double& best = line[static_cast<std::size_t>(i)];
    for (std::int64_t step = 1; step < count && square_mm(step, spacing_mm) < best; ++step) {
      const double square = square_mm(step, spacing_mm);
      if (i >= step) best = std::min(best, scratch[static_cast<std::size_t>(i - step)] + square);
      if (i + step < count) best = std::min(best, scratch[static_cast<std::size_t>(i + step)] + square);
    }
  }
}

void spread_axis(std::vector<double>& squares, const Extent& extent, int axis, double spacing_mm) {
  const std::int64_t stride = axis == 0 ? 1 : axis == 1 ? extent.x : extent.x * extent.y;
  const std::int64_t length = extent[axis];
  std::vector<double> line(static_cast<std::size_t>(length));
  std::vector<double> scratch;
  for (std::int64_t start = 0; start < extent.count(); ++start) {
    if (start / stride % length != 0) continue;
    for (std::int64_t i = 0; i < length; ++i) {
      line[static_cast<std::size_t>(i)] = squares[static_cast<std::size_t>(start + i * stride)];
    }
    spread_line(line, spacing_mm, scratch);
    for (std::int64_t i = 0; i < length; ++i) {
      squares[static_cast<std::size_t>(start + i * stride)] = line[static_cast<std::size_t>(i)];
    }
  }
}

}  // namespace

std::vector<double> squared_distance_transform(const PointLattice& points, const Vec3& spacing_mm) {
  const Extent& extent = points.extent();
  std::vector<double> squares(static_cast<std::size_t>(extent.count()), infinite);
  points.for_each([&](std::int64_t x, std::int64_t y, std::int64_t z) {
    squares[static_cast<std::size_t>(x + extent.x * (y + extent.y * z))] = 0;
  });
  for (int axis = 0; axis < 3; ++axis) {
    spread_axis(squares, extent, axis, spacing_mm[static_cast<std::size_t>(axis)]);
  }
  return squares;
}

}  // namespace fiducial
