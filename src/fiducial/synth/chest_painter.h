#pragma once

#include "fiducial/base/random.h"
#include "fiducial/synth/chest_anatomy.h"
#include "fiducial/synth/chest_volume.h"

namespace fiducial {

// A healthy chest without vessels in the lungs, without blur and without scanner noise.
ChestVolume paint_chest(const ChestAnatomy& anatomy, const ChestFrame& frame, Random& random);

// What the scanner adds: blur everywhere, noise inside the body.
void add_scanner_effects(ChestVolume& chest, double noise_hu, Random& random);

}  // namespace fiducial
