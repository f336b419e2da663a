#include "fiducial/image/axis_map.h"

#include <algorithm>
#include <cmath>

namespace fiducial {

namespace {

// Grids that are turned by less than this part of a voxel, over all their length, are not turned.
constexpr double turned_voxels = 1e-5;
constexpr double noise_voxels = 1e-6;

double without_noise(double place) {
  const double halves = std::nearbyint(2 * place);
  return std::abs(2 * place - halves) < 2 * noise_voxels ? halves / 2 : place;
}

// The source axis that each target axis moves along, where it moves along one alone.
std::optional<std::array<int, 3>> axes_apart(const Affine& voxels, const Extent& target) {
  std::array<int, 3> out{-1, -1, -1};
  std::array<bool, 3> taken{};
  for (std::size_t column = 0; column < 3; ++column) {
    std::size_t main = 0;
    for (std::size_t row = 1; row < 3; ++row) {
      if (std::abs(voxels.m[row][column]) > std::abs(voxels.m[main][column])) main = row;
    }
    const auto length = static_cast<double>(target[static_cast<int>(column)]);
    for (std::size_t row = 0; row < 3; ++row) {
      if (row != main && std::abs(voxels.m[row][column]) * length > turned_voxels) return std::nullopt;
    }
    if (taken[main]) return std::nullopt;
    taken[main] = true;
    out[column] = static_cast<int>(main);
  }
  return out;
}

}  // namespace

Vec3 GridMap::place(std::int64_t x, std::int64_t y, std::int64_t z) const {
  Vec3 out = voxels.apply({static_cast<double>(x), static_cast<double>(y), static_cast<double>(z)});
  for (double& each : out) each = without_noise(each);
  return out;
}

Result<GridMap> grid_map(const Grid& source, const Grid& target) {
  const std::optional<Affine> to_source = inverse(source.affine);
  if (!to_source) return invalid_data("the affine is singular, so its voxels have no place in the patient");
  if (!inverse(target.affine)) {
    return invalid_data("the affine of the grid to resample onto is singular, so its voxels have no place");
  }
  GridMap out{composed(*to_source, target.affine), source.extent, target.extent, std::nullopt};
  out.source_axis_of = axes_apart(out.voxels, target.extent);
  return out;
}

bool within_axis(double place, std::int64_t size) {
  return place >= -0.5 && place < static_cast<double>(size) - 0.5;
}

std::int64_t nearest_voxel(double place) { return static_cast<std::int64_t>(std::floor(place + 0.5)); }

LinearTap linear_tap(double place, std::int64_t size) {
  if (!within_axis(place, size)) return {};
  const double inside = std::clamp(place, 0.0, static_cast<double>(size - 1));
  const auto low = static_cast<std::int64_t>(inside);
  return {low, std::min(low + 1, size - 1), inside - static_cast<double>(low)};
}

std::vector<double> axis_places(const GridMap& map, int target_axis) {
  const auto column = static_cast<std::size_t>(target_axis);
  const auto row = static_cast<std::size_t>((*map.source_axis_of)[column]);
  std::vector<double> out;
  out.reserve(static_cast<std::size_t>(map.target[target_axis]));
  for (std::int64_t i = 0; i < map.target[target_axis]; ++i) {
    out.push_back(without_noise(map.voxels.m[row][column] * static_cast<double>(i) + map.voxels.m[row][3]));
  }
  return out;
}

}  // namespace fiducial
