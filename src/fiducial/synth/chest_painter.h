#pragma once

#include "fiducial/base/random.h"
#include "fiducial/synth/chest_anatomy.h"
#include "fiducial/synth/chest_volume.h"

namespace fiducial {

// A healthy chest without vessels in the lungs, without blur and without scanner noise.
ChestVolume paint_chest(const ChestAnatomy& anatomy, const ChestFrame& frame, Random& random);

// How a scan went.
struct ScannerEffects {
  double noise_hu = 20;  // standard deviation inside the body
  double breathing = 0;  // 0 .. 0.5: how much of the lung bases is seen in a second place
};

// What the scanner adds: blur everywhere, motion at the lung bases, noise inside the body.
void add_scanner_effects(ChestVolume& chest, const ScannerEffects& effects, Random& random);

}  // namespace fiducial
