#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "fiducial/drawing/raster.h"
#include "fiducial/drawing/window.h"
#include "fiducial/geometry/grid.h"
#include "fiducial/image/label_map.h"
#include "fiducial/image/volume_slice.h"

namespace fiducial {

// How the slices of an array lie on a screen, as radiologists look at them: the patient's right on the left,
// anterior on top.
struct AxialView {
  Extent extent;
  int column_axis = 0;  // array axis along a screen row
  int row_axis = 1;     // array axis down the screen
  int slice_axis = 2;
  bool columns_reversed = false;
  bool rows_reversed = false;
  double column_mm = 1;
  double row_mm = 1;
  bool in_patient = false;  // false: no CT says where the array lies; axes as stored, voxels taken as squares

  // The nearest axes for oblique grids.
  static AxialView of(const Grid& volume);
  static AxialView as_stored(const Extent& extent);

  std::int64_t columns() const { return extent[column_axis]; }
  std::int64_t rows() const { return extent[row_axis]; }
  // The array voxel under a pixel of a slice.
  std::array<std::int64_t, 3> voxel(std::int64_t column, std::int64_t row, std::int64_t slice) const;
};

// Half-open box of pixels.
struct PixelBox {
  std::int64_t left = 0;
  std::int64_t top = 0;
  std::int64_t right = 0;
  std::int64_t bottom = 0;

  std::int64_t width() const { return right - left; }
  std::int64_t height() const { return bottom - top; }
  friend bool operator==(const PixelBox&, const PixelBox&) = default;
};

// The slice that holds most voxels of the reference, or of the prediction where the reference is empty; the
// lowest of equals, and the middle one where both are empty.
std::int64_t fullest_slice(const LabelMap& reference, const LabelMap& prediction, const AxialView& view);

// At most so many slices from one end of the reference (or of the prediction, where the reference is empty)
// to the other, with one more beyond each end: evenly spread, ascending, the ends among them. None of empty
// masks.
std::vector<std::int64_t> spread_slices(const LabelMap& reference, const LabelMap& prediction,
                                        const AxialView& view, std::size_t most);

// One slice of a mask: 1 inside, 0 outside.
Raster mask_slice(const LabelMap& labels, const AxialView& view, std::int64_t slice);

// One slice of a volume through a window; the plane must be that of the view's slice axis.
Raster windowed_slice(const VolumePlane& plane, const AxialView& view, const IntensityWindow& window);

// A square (in millimetres) around what is inside, with a margin, as far as the picture reaches. The middle
// of the picture where nothing is inside.
PixelBox crop_around(const Raster& inside, const AxialView& view);

Raster cropped(const Raster& picture, const PixelBox& box);

// Averages whole blocks of pixels until neither side is longer than longest.
Raster shrunk(const Raster& picture, std::int64_t longest);

// A slice of the strip that leads through a finding.
struct StripSlice {
  std::int64_t slice = 0;
  std::optional<Raster> volume;  // the crop, through the window
  Raster reference;
  Raster prediction;
};

// All that is drawn of one finding.
struct SlicePicture {
  AxialView view;
  std::int64_t slice = 0;
  std::int64_t slices = 0;
  PixelBox crop;
  IntensityWindow window = lung_window;
  std::optional<Raster> volume;  // through the window; nothing where no CT is at hand
  Raster reference;
  Raster prediction;
  bool has_prediction = true;  // on any slice
  std::vector<StripSlice> strip;
};

}  // namespace fiducial
