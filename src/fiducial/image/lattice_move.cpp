#include "fiducial/image/lattice_move.h"

#include <algorithm>
#include <cmath>

#include "fiducial/base/number_text.h"

namespace fiducial {

namespace {

using LatticeVoxel = std::array<std::int64_t, 3>;

// The voxel of an orthogonal-enough grid nearest to a point, by Cramer's rule.
std::optional<Vec3> voxel_at(const Affine& affine, const Vec3& point) {
  const double whole = affine.determinant();
  if (whole == 0 || !std::isfinite(whole)) return std::nullopt;
  Vec3 out{};
  for (std::size_t column = 0; column < 3; ++column) {
    Affine replaced = affine;
    for (std::size_t row = 0; row < 3; ++row) replaced.m[row][column] = point[row] - affine.m[row][3];
    out[column] = replaced.determinant() / whole;
  }
  return out;
}

double largest_gap_mm(const Affine& source, const Affine& target, const LatticeVoxel& shift,
                      const Extent& extent) {
  double worst = 0;
  for (int corner = 0; corner < 8; ++corner) {
    Vec3 from{};
    Vec3 to{};
    for (std::size_t i = 0; i < 3; ++i) {
      const std::int64_t last = extent[static_cast<int>(i)] - 1;
      from[i] = (corner >> i & 1) != 0 ? static_cast<double>(last) : 0.0;
      to[i] = from[i] + static_cast<double>(shift[i]);
    }
    const Vec3 a = source.apply(from);
    const Vec3 b = target.apply(to);
    worst = std::max(worst, std::hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]));
  }
  return worst;
}

// The mask with its axes rearranged, on its rearranged grid. Only the box around it is written out.
Mask with_axes(const Mask& mask, const Reorientation& axes) {
  const Grid grid = axes.apply(mask.grid());
  if (axes.is_identity() || mask.empty()) return axes.is_identity() ? mask : Mask(grid);
  const VoxelBox box = mask.bounds();
  const Extent size{box.high[0] - box.low[0], box.high[1] - box.low[1], box.high[2] - box.low[2]};
  const Reorientation back = axes.inverse();
  const LatticeVoxel corner = back.source_voxel(grid.extent, box.low);
  const LatticeVoxel far =
      back.source_voxel(grid.extent, {box.high[0] - 1, box.high[1] - 1, box.high[2] - 1});
  LatticeVoxel low{};
  for (std::size_t i = 0; i < 3; ++i) low[i] = std::min(corner[i], far[i]);
  const Grid small{axes.apply(size), {}};
  std::vector<std::uint8_t> dense(static_cast<std::size_t>(small.extent.count()));
  for (const MaskRun& run : mask.runs()) {
    for (std::int64_t x = run.begin; x < run.end; ++x) {
      const LatticeVoxel to =
          back.source_voxel(grid.extent, {x, run.row % mask.extent().y, run.row / mask.extent().y});
      dense[static_cast<std::size_t>(
          to[0] - low[0] + small.extent.x * (to[1] - low[1] + small.extent.y * (to[2] - low[2])))] = 1;
    }
  }
  std::vector<MaskRun> runs;
  const Mask turned = Mask::from_dense(small, dense);
  for (const MaskRun& run : turned.runs()) {
    const std::int64_t row =
        run.row % small.extent.y + low[1] + grid.extent.y * (run.row / small.extent.y + low[2]);
    runs.push_back({static_cast<std::int32_t>(row), static_cast<std::int32_t>(run.begin + low[0]),
                    static_cast<std::int32_t>(run.end + low[0])});
  }
  return Mask::from_sorted_runs(grid, std::move(runs));
}

}  // namespace

std::string LatticeMove::text() const {
  std::string out = axes.is_identity() ? "" : axes.name() + ", ";
  return out + "shifted by (" + decimal(shift[0]) + ", " + decimal(shift[1]) + ", " + decimal(shift[2]) + ")";
}

std::optional<LatticeMove> lattice_move(const Grid& source, const Grid& target, double tolerance_mm) {
  if (source.affine.determinant() == 0 || target.affine.determinant() == 0) return std::nullopt;
  LatticeMove move{.axes =
                       reorientation(OrientationCode::of(source.affine), OrientationCode::of(target.affine))};
  const Grid turned = move.axes.apply(source);
  const auto first = voxel_at(target.affine, turned.affine.apply({0, 0, 0}));
  if (!first) return std::nullopt;
  for (std::size_t i = 0; i < 3; ++i) {
    if (!(std::abs((*first)[i]) < 1e6)) return std::nullopt;
    move.shift[i] = std::llround((*first)[i]);
  }
  if (largest_gap_mm(turned.affine, target.affine, move.shift, turned.extent) > tolerance_mm) {
    return std::nullopt;
  }
  return move;
}

Mask moved(const Mask& mask, const LatticeMove& move, const Grid& target) {
  const Mask turned = with_axes(mask, move.axes);
  std::vector<MaskRun> runs;
  for (const MaskRun& run : turned.runs()) {
    const std::int64_t y = run.row % turned.extent().y + move.shift[1];
    const std::int64_t z = run.row / turned.extent().y + move.shift[2];
    if (y < 0 || y >= target.extent.y || z < 0 || z >= target.extent.z) continue;
    const std::int64_t begin = std::max<std::int64_t>(run.begin + move.shift[0], 0);
    const std::int64_t end = std::min<std::int64_t>(run.end + move.shift[0], target.extent.x);
    if (begin >= end) continue;
    runs.push_back({static_cast<std::int32_t>(y + target.extent.y * z), static_cast<std::int32_t>(begin),
                    static_cast<std::int32_t>(end)});
  }
  return Mask::from_sorted_runs(target, std::move(runs));
}

}  // namespace fiducial
