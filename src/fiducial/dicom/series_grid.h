#pragma once

#include <span>
#include <string>
#include <vector>

#include "fiducial/base/note.h"
#include "fiducial/base/result.h"
#include "fiducial/dicom/slice_header.h"
#include "fiducial/geometry/grid.h"

namespace fiducial {

// The slices of a series as one volume.
struct SeriesGrid {
  Grid grid;                       // in NIfTI's RAS+ world
  std::vector<std::size_t> order;  // order[z] is the index of the slice that lies at z
  Notes notes;
};

// Sorts slices by their place along the normal of their plane and computes the grid from those places alone.
//
// Slices that do not share orientation, size and pixel spacing, that lie at one place, that leave a gap or
// that are not evenly spaced are an error that names the file and what was expected. A step that is not at
// right angles to the slices (a tilted gantry) is kept exactly, as a shear of the affine, with a note. files
// are the names for messages, by SliceHeader::file.
Result<SeriesGrid> make_series_grid(std::span<const SliceHeader> slices, std::span<const std::string> files);

}  // namespace fiducial
