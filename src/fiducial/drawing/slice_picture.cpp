#include "fiducial/drawing/slice_picture.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "fiducial/geometry/orientation.h"

namespace fiducial {

namespace {

constexpr double least_crop_mm = 80;
constexpr double least_margin_mm = 15;

// Where a box begins and ends along one side, so that it is wanted long (or as long as there is room) around
// a centre.
std::pair<std::int64_t, std::int64_t> placed(double centre, double wanted, std::int64_t room) {
  const auto length = std::clamp(static_cast<std::int64_t>(std::lround(wanted)), std::int64_t{1}, room);
  const auto begin = static_cast<std::int64_t>(std::floor(centre - static_cast<double>(length) / 2));
  const std::int64_t low = std::clamp(begin, std::int64_t{0}, room - length);
  return {low, low + length};
}

std::vector<std::int64_t> voxels_by_slice(const LabelMap& labels, int axis) {
  const Extent& extent = labels.extent();
  std::vector<std::int64_t> out(static_cast<std::size_t>(extent[axis]));
  for (const LabelRun& run : labels.runs()) {
    if (axis == 0) {
      for (std::int32_t x = run.begin; x < run.end; ++x) ++out[static_cast<std::size_t>(x)];
      continue;
    }
    const std::int64_t at = axis == 1 ? run.row % extent.y : run.row / extent.y;
    out[static_cast<std::size_t>(at)] += run.end - run.begin;
  }
  return out;
}

PixelBox bounds_of(const Raster& inside) {
  PixelBox out{inside.width, inside.height, 0, 0};
  for (std::int64_t y = 0; y < inside.height; ++y) {
    for (std::int64_t x = 0; x < inside.width; ++x) {
      if (inside.at(x, y) == 0) continue;
      out = {std::min(out.left, x), std::min(out.top, y), std::max(out.right, x + 1),
             std::max(out.bottom, y + 1)};
    }
  }
  if (out.right > 0) return out;
  return {inside.width / 2, inside.height / 2, inside.width / 2 + 1, inside.height / 2 + 1};
}

}  // namespace

AxialView AxialView::as_stored(const Extent& extent) {
  AxialView out;
  out.extent = extent;
  return out;
}

AxialView AxialView::of(const Grid& volume) {
  const double determinant = volume.affine.determinant();
  if (!std::isfinite(determinant) || determinant == 0) return as_stored(volume.extent);
  const Reorientation turn =
      reorientation(OrientationCode::of(volume.affine), OrientationCode::parse("LPS").value());
  const Vec3 spacing_mm = volume.affine.spacing_mm();
  return {.extent = volume.extent,
          .column_axis = turn.source[0],
          .row_axis = turn.source[1],
          .slice_axis = turn.source[2],
          .columns_reversed = turn.reversed[0],
          .rows_reversed = turn.reversed[1],
          .column_mm = spacing_mm[static_cast<std::size_t>(turn.source[0])],
          .row_mm = spacing_mm[static_cast<std::size_t>(turn.source[1])],
          .in_patient = true};
}

std::array<std::int64_t, 3> AxialView::voxel(std::int64_t column, std::int64_t row,
                                             std::int64_t slice) const {
  std::array<std::int64_t, 3> out{};
  out[static_cast<std::size_t>(column_axis)] = columns_reversed ? columns() - 1 - column : column;
  out[static_cast<std::size_t>(row_axis)] = rows_reversed ? rows() - 1 - row : row;
  out[static_cast<std::size_t>(slice_axis)] = slice;
  return out;
}

std::int64_t fullest_slice(const LabelMap& reference, const LabelMap& prediction, const AxialView& view) {
  const LabelMap& labels = reference.empty() ? prediction : reference;
  if (labels.empty()) return view.extent[view.slice_axis] / 2;
  const std::vector<std::int64_t> counts = voxels_by_slice(labels, view.slice_axis);
  return std::max_element(counts.begin(), counts.end()) - counts.begin();
}

std::vector<std::int64_t> spread_slices(const LabelMap& reference, const LabelMap& prediction,
                                        const AxialView& view, std::size_t most) {
  const LabelMap& labels = reference.empty() ? prediction : reference;
  if (labels.empty() || most == 0) return {};
  const std::vector<std::int64_t> counts = voxels_by_slice(labels, view.slice_axis);
  const auto is_some = [](std::int64_t count) { return count > 0; };
  const auto inside_begin = std::ranges::find_if(counts, is_some) - counts.begin();
  const auto inside_end = std::find_if(counts.rbegin(), counts.rend(), is_some).base() - counts.begin();
  const std::int64_t begin = std::max<std::int64_t>(inside_begin - 1, 0);
  const std::int64_t last = std::min<std::int64_t>(inside_end, std::ssize(counts) - 1);
  const auto wanted = std::min<std::int64_t>(static_cast<std::int64_t>(most), last - begin + 1);
  std::vector<std::int64_t> out;
  out.reserve(static_cast<std::size_t>(wanted));
  for (std::int64_t i = 0; i < wanted; ++i)
    out.push_back(wanted == 1 ? (begin + last) / 2 : begin + (i * (last - begin)) / (wanted - 1));
  return out;
}

Raster mask_slice(const LabelMap& labels, const AxialView& view, std::int64_t slice) {
  const Extent& extent = labels.extent();
  Raster out = Raster::make(view.columns(), view.rows());
  const auto mark = [&](std::array<std::int64_t, 3> voxel) {
    if (voxel[static_cast<std::size_t>(view.slice_axis)] != slice) return;
    const std::int64_t column = voxel[static_cast<std::size_t>(view.column_axis)];
    const std::int64_t row = voxel[static_cast<std::size_t>(view.row_axis)];
    out.at(view.columns_reversed ? view.columns() - 1 - column : column,
           view.rows_reversed ? view.rows() - 1 - row : row) = 1;
  };
  for (const LabelRun& run : labels.runs()) {
    const std::int64_t y = run.row % extent.y;
    const std::int64_t z = run.row / extent.y;
    if ((view.slice_axis == 2 && z != slice) || (view.slice_axis == 1 && y != slice)) continue;
    for (std::int64_t x = run.begin; x < run.end; ++x) mark({x, y, z});
  }
  return out;
}

Raster windowed_slice(const VolumePlane& plane, const AxialView& view, const IntensityWindow& window) {
  FIDUCIAL_ASSERT(plane.place.axis == view.slice_axis);
  Raster out = Raster::make(view.columns(), view.rows());
  const auto lower_axis = static_cast<std::size_t>(view.slice_axis == 0 ? 1 : 0);
  const auto upper_axis = static_cast<std::size_t>(view.slice_axis == 2 ? 1 : 2);
  for (std::int64_t row = 0; row < out.height; ++row) {
    for (std::int64_t column = 0; column < out.width; ++column) {
      const auto voxel = view.voxel(column, row, plane.place.index);
      const std::int64_t at = voxel[upper_axis] * plane.width + voxel[lower_axis];
      out.at(column, row) = window.grey(plane.values[static_cast<std::size_t>(at)]);
    }
  }
  return out;
}

PixelBox crop_around(const Raster& inside, const AxialView& view) {
  const PixelBox bounds = bounds_of(inside);
  const double width_mm = static_cast<double>(bounds.width()) * view.column_mm;
  const double height_mm = static_cast<double>(bounds.height()) * view.row_mm;
  const double longer_mm = std::max(width_mm, height_mm);
  const double side_mm = std::max(least_crop_mm, longer_mm + 2 * std::max(least_margin_mm, longer_mm / 4));
  const double column = static_cast<double>(bounds.left + bounds.right) / 2;
  const double row = static_cast<double>(bounds.top + bounds.bottom) / 2;
  // Where the picture is shorter than the square along one side, both are: panels stay squares.
  const double room_mm = std::min(static_cast<double>(inside.width) * view.column_mm,
                                  static_cast<double>(inside.height) * view.row_mm);
  const double side = std::min(side_mm, room_mm);
  const auto [left, right] = placed(column, side / view.column_mm, inside.width);
  const auto [top, bottom] = placed(row, side / view.row_mm, inside.height);
  return {left, top, right, bottom};
}

Raster cropped(const Raster& picture, const PixelBox& box) {
  Raster out = Raster::make(box.width(), box.height());
  for (std::int64_t y = 0; y < out.height; ++y) {
    for (std::int64_t x = 0; x < out.width; ++x) out.at(x, y) = picture.at(box.left + x, box.top + y);
  }
  return out;
}

Raster shrunk(const Raster& picture, std::int64_t longest) {
  const std::int64_t block = (std::max(picture.width, picture.height) + longest - 1) / longest;
  if (block <= 1) return picture;
  Raster out = Raster::make((picture.width + block - 1) / block, (picture.height + block - 1) / block);
  for (std::int64_t y = 0; y < out.height; ++y) {
    for (std::int64_t x = 0; x < out.width; ++x) {
      std::int64_t sum = 0;
      std::int64_t count = 0;
      for (std::int64_t v = y * block; v < std::min((y + 1) * block, picture.height); ++v) {
        for (std::int64_t u = x * block; u < std::min((x + 1) * block, picture.width); ++u, ++count) {
          sum += picture.at(u, v);
        }
      }
      out.at(x, y) = static_cast<std::uint8_t>((sum + count / 2) / count);
    }
  }
  return out;
}

}  // namespace fiducial
