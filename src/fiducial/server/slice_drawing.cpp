#include "fiducial/server/slice_drawing.h"

#include <algorithm>
#include <cmath>

#include "fiducial/drawing/raster.h"
#include "fiducial/geometry/orientation.h"

namespace fiducial {

namespace {

using Colour = std::array<std::uint8_t, 3>;

constexpr std::array<Colour, 8> finding_colours{{{0x56, 0xB4, 0xE9},
                                                 {0x00, 0x9E, 0x73},
                                                 {0xF0, 0xE4, 0x42},
                                                 {0xCC, 0x79, 0xA7},
                                                 {0x00, 0x72, 0xB2},
                                                 {0xE6, 0x9F, 0x00},
                                                 {0xD5, 0x5E, 0x00},
                                                 {0xC8, 0xC8, 0xC8}}};
constexpr Colour both_colour{0xF0, 0xF0, 0xF0};
constexpr Colour missed_colour{0x56, 0xB4, 0xE9};
constexpr Colour extra_colour{0xE6, 0x9F, 0x00};
constexpr int fill_percent = 12;

// What a slice cuts out of a mask: 1 inside.
Raster cut(const LabelMap& labels, const PlaneView& view, std::int64_t slice) {
  Raster out = Raster::make(view.columns(), view.rows());
  const Extent& extent = labels.extent();
  for (const LabelRun& run : labels.runs()) {
    const std::int64_t y = run.row % extent.y;
    const std::int64_t z = run.row / extent.y;
    if ((view.slice_axis == 2 && z != slice) || (view.slice_axis == 1 && y != slice)) continue;
    const std::int64_t begin = view.slice_axis == 0 ? std::max<std::int64_t>(run.begin, slice) : run.begin;
    const std::int64_t end = view.slice_axis == 0 ? std::min<std::int64_t>(run.end, slice + 1) : run.end;
    for (std::int64_t x = begin; x < end; ++x) {
      const std::array<std::int64_t, 3> voxel{x, y, z};
      const std::int64_t column = voxel[static_cast<std::size_t>(view.column_axis)];
      const std::int64_t row = voxel[static_cast<std::size_t>(view.row_axis)];
      out.at(view.columns_reversed ? view.columns() - 1 - column : column,
             view.rows_reversed ? view.rows() - 1 - row : row) = 1;
    }
  }
  return out;
}

bool is_edge(const Raster& inside, std::int64_t x, std::int64_t y) {
  return x == 0 || y == 0 || x + 1 == inside.width || y + 1 == inside.height || inside.at(x - 1, y) == 0 ||
         inside.at(x + 1, y) == 0 || inside.at(x, y - 1) == 0 || inside.at(x, y + 1) == 0;
}

void paint(Picture& picture, const Raster& inside, const Colour& colour, bool fills) {
  for (std::int64_t y = 0; y < inside.height; ++y) {
    for (std::int64_t x = 0; x < inside.width; ++x) {
      if (inside.at(x, y) == 0) continue;
      const bool edge = is_edge(inside, x, y);
      if (!edge && !fills) continue;
      const int percent = edge ? 100 : fill_percent;
      std::uint8_t* const pixel =
          picture.values.data() + static_cast<std::size_t>(3 * (y * picture.width + x));
      for (std::size_t i = 0; i < 3; ++i) {
        pixel[i] =
            static_cast<std::uint8_t>((pixel[i] * (100 - percent) + colour.at(i) * percent + 50) / 100);
      }
    }
  }
}

// What is in a and, as wanted, in b or not.
Raster part_of(const Raster& a, const Raster& b, bool in_b) {
  Raster out = a;
  for (std::size_t i = 0; i < out.pixels.size(); ++i)
    out.pixels[i] = static_cast<std::uint8_t>(a.pixels[i] != 0 && (b.pixels[i] != 0) == in_b);
  return out;
}

}  // namespace

PlaneView PlaneView::of(const Grid& grid, std::string_view plane) {
  Reorientation turn;
  const double determinant = grid.affine.determinant();
  if (std::isfinite(determinant) && determinant != 0)
    turn = reorientation(OrientationCode::of(grid.affine), OrientationCode::parse("LPS").value());
  // Patient axes 0, 1, 2 grow towards left, posterior and superior.
  const auto axis = [&turn](std::size_t patient) { return turn.source.at(patient); };
  PlaneView out{.extent = grid.extent};
  const std::size_t across = plane == "sagittal" ? 1 : 0;
  const std::size_t down = plane == "axial" ? 1 : 2;
  out.column_axis = axis(across);
  out.row_axis = axis(down);
  out.slice_axis = axis(3 - across - down);
  out.columns_reversed = turn.reversed.at(across);
  out.rows_reversed = turn.reversed.at(down) != (down == 2);  // superior is on top
  return out;
}

std::array<std::int64_t, 3> PlaneView::voxel(std::int64_t column, std::int64_t row,
                                             std::int64_t slice) const {
  std::array<std::int64_t, 3> out{};
  out[static_cast<std::size_t>(column_axis)] = columns_reversed ? columns() - 1 - column : column;
  out[static_cast<std::size_t>(row_axis)] = rows_reversed ? rows() - 1 - row : row;
  out[static_cast<std::size_t>(slice_axis)] = slice;
  return out;
}

Colour finding_colour(std::size_t index) { return finding_colours.at(index % finding_colours.size()); }

Result<Picture> slice_picture(const ServedVolume& volume, const PlaneView& view, std::int64_t slice,
                              const IntensityWindow& window) {
  const Extent& extent = volume.grid().extent;
  const std::int64_t first = view.slice_axis == 2 ? slice : 0;
  const std::int64_t last = view.slice_axis == 2 ? slice + 1 : extent.z;
  FIDUCIAL_TRY(const auto voxels, volume.slices(first, last));
  Picture out{.width = view.columns(), .height = view.rows(), .channels = 3, .values = {}};
  out.values.reserve(static_cast<std::size_t>(out.width * out.height * 3));
  for (std::int64_t row = 0; row < out.height; ++row) {
    for (std::int64_t column = 0; column < out.width; ++column) {
      const auto [x, y, z] = view.voxel(column, row, slice);
      const std::int16_t hu = voxels[static_cast<std::size_t>(x + extent.x * (y + extent.y * (z - first)))];
      out.values.insert(out.values.end(), 3, window.grey(hu));
    }
  }
  return out;
}

void draw_masks(Picture& picture, const PlaneView& view, std::int64_t slice,
                const std::vector<ColouredMask>& masks, MaskDrawing how) {
  if (how != MaskDrawing::difference || masks.size() != 2) {
    for (const ColouredMask& mask : masks)
      paint(picture, cut(*mask.labels, view, slice), mask.colour, how != MaskDrawing::outline);
    return;
  }
  const Raster reference = cut(*masks[0].labels, view, slice);
  const Raster prediction = cut(*masks[1].labels, view, slice);
  paint(picture, part_of(reference, prediction, true), both_colour, true);
  paint(picture, part_of(reference, prediction, false), missed_colour, true);
  paint(picture, part_of(prediction, reference, false), extra_colour, true);
}

}  // namespace fiducial
