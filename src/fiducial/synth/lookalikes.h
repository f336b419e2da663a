#pragma once

#include "fiducial/base/random.h"
#include "fiducial/synth/chest_anatomy.h"
#include "fiducial/synth/chest_volume.h"

namespace fiducial {

// What looks like a finding and is none, so no report names it: lung that is dense where the patient lies on
// it, caps on the apices, uneven ventilation, vessels seen end on, small old nodules, the clips of a
// resection.
void paint_lookalikes(ChestVolume& chest, const ChestAnatomy& anatomy, Random& random);

}  // namespace fiducial
