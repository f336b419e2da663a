#include "fiducial/views/scan_array.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "fiducial/datasets/volume_file.h"
#include "fiducial/geometry/orientation.h"
#include "fiducial/image/volume_slice.h"

namespace fiducial {

Result<ScanArray> ScanArray::read(const Path& path) {
  FIDUCIAL_TRY(NiftiStream stream, open_volume(path));
  const NiftiHeader header = stream.header();
  const double determinant = header.affine.determinant();
  if (!header.claims_place() || !std::isfinite(determinant) || determinant == 0)
    return Error(ErrorCode::invalid_data, "the header does not say how the scan lies in the patient",
                 Place{.path = path.string()});
  ScanArray out{.grid = header.grid(), .hu = {}};
  std::vector<std::int64_t> all(static_cast<std::size_t>(out.grid.extent[2]));
  std::iota(all.begin(), all.end(), std::int64_t{0});
  out.hu.reserve(static_cast<std::size_t>(header.voxel_count()));
  const auto visit = [&out](std::int64_t, std::span<const float> values) {
    for (const float value : values) {
      const float held = std::isnan(value) ? -32'768.0F : std::clamp(value, -32'768.0F, 32'767.0F);
      out.hu.push_back(static_cast<std::int16_t>(std::floor(static_cast<double>(held) + 0.5)));
    }
  };
  FIDUCIAL_TRY_DONE(visit_volume_slices(stream, all, visit).in_file(path.string()));
  return out;
}

PlaneAxes PlaneAxes::of(const Grid& grid, ViewPlane plane) {
  // Axes of the array towards the patient's left, back and head.
  const Reorientation turn =
      reorientation(OrientationCode::of(grid.affine), OrientationCode::parse("LPS").value());
  struct Along {
    std::size_t patient;
    bool towards;  // false: against that direction
  };
  constexpr std::size_t left = 0;
  constexpr std::size_t back = 1;
  constexpr std::size_t head = 2;
  const std::array<Along, 3> lines =
      plane == ViewPlane::axial     ? std::array<Along, 3>{Along{left, true}, {back, true}, {head, false}}
      : plane == ViewPlane::coronal ? std::array<Along, 3>{Along{left, true}, {head, false}, {back, true}}
                                    : std::array<Along, 3>{Along{back, true}, {head, false}, {left, true}};
  const Vec3 spacing_mm = grid.affine.spacing_mm();
  PlaneAxes out{.plane = plane};
  for (std::size_t i = 0; i < 3; ++i) {
    out.axis[i] = turn.source[lines[i].patient];
    out.reversed[i] = turn.reversed[lines[i].patient] == lines[i].towards;
    out.count[i] = grid.extent[out.axis[i]];
    const double um = spacing_mm[static_cast<std::size_t>(out.axis[i])] * 1000;
    out.spacing_um[i] = std::max<std::int64_t>(1, std::llround(um));
  }
  return out;
}

std::array<std::int64_t, 3> PlaneAxes::voxel(std::int64_t column, std::int64_t row,
                                             std::int64_t slice) const {
  const std::array<std::int64_t, 3> place{column, row, slice};
  std::array<std::int64_t, 3> out{};
  for (std::size_t i = 0; i < 3; ++i)
    out[static_cast<std::size_t>(axis[i])] = reversed[i] ? count[i] - 1 - place[i] : place[i];
  return out;
}

}  // namespace fiducial
