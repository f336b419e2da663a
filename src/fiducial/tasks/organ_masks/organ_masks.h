#pragma once

#include "fiducial/eval/task/task.h"

namespace fiducial {

// Masks of organs and other structures, up to 210 a volume: Dice, NSD and HD95.
Task organ_masks_task();

}  // namespace fiducial
