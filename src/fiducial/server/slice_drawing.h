#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "fiducial/drawing/window.h"
#include "fiducial/geometry/grid.h"
#include "fiducial/image/picture.h"
#include "fiducial/server/mask_set.h"
#include "fiducial/server/volume_store.h"

namespace fiducial {

// How the slices of a plane lie on a screen, as radiologists look at them: the patient's right on the left,
// anterior on top of axial slices and on the left of sagittal ones, superior on top of the others. Of oblique
// grids the nearest axes. Where no header says how an array lies, its axes are taken for left, posterior and
// superior.
struct PlaneView {
  int column_axis = 0;  // array axis along a screen row
  int row_axis = 1;     // array axis down the screen
  int slice_axis = 2;
  bool columns_reversed = false;
  bool rows_reversed = false;
  Extent extent;

  // plane: "axial", "coronal" or "sagittal".
  static PlaneView of(const Grid& grid, std::string_view plane);

  std::int64_t columns() const { return extent[column_axis]; }
  std::int64_t rows() const { return extent[row_axis]; }
  std::array<std::int64_t, 3> voxel(std::int64_t column, std::int64_t row, std::int64_t slice) const;
};

// A mask on a picture, with its colour.
struct ColouredMask {
  const LabelMap* labels = nullptr;
  std::array<std::uint8_t, 3> colour{};
};

enum class MaskDrawing { fill, outline, difference };

// The colour of a finding by its place in the list, and those of a difference.
std::array<std::uint8_t, 3> finding_colour(std::size_t index);

// A slice of a CT through a window with masks over it, a pixel a voxel, as RGB. fill: the colour over the
// grey at 12 % and a solid pixel where a neighbour above, below, left or right is not of the mask; outline:
// that pixel alone; difference: of two masks, the first the reference: both, missed and extra in their
// colours, as fill.
Result<Picture> slice_picture(const ServedVolume& volume, const PlaneView& view, std::int64_t slice,
                              const IntensityWindow& window);
void draw_masks(Picture& picture, const PlaneView& view, std::int64_t slice,
                const std::vector<ColouredMask>& masks, MaskDrawing how);

}  // namespace fiducial
