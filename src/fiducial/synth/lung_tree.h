#pragma once

#include <vector>

#include "fiducial/base/random.h"
#include "fiducial/synth/chest_shapes.h"
#include "fiducial/synth/chest_volume.h"

namespace fiducial {

// The bronchi that were painted, for findings that follow them. Radii are those of the outer wall.
struct LungTrees {
  std::vector<Tube> bronchi;
};

// Grows vessels and bronchi from both hila through the painted lungs.
LungTrees paint_lung_trees(ChestVolume& chest, Random& random);

// The part of a bronchus's radius that is open.
double lumen_radius(double outer_radius);

}  // namespace fiducial
