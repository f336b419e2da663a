#pragma once

#include "fiducial/masks/mask_collection.h"

namespace fiducial {

// The masks on another grid that shares their lattice: axes rearranged and shifted by whole voxels, nothing
// interpolated. Masks without a place take the grid where their shape is its own. Refused are other lattices,
// and voxels that would lie outside the grid.
Result<MaskCollection> masks_on_grid(const MaskCollection& masks, const Grid& grid);

}  // namespace fiducial
