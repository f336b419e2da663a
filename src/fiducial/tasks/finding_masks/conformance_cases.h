#pragma once

#include <cstdint>

#include "fiducial/base/file.h"

namespace fiducial {

// Writes a dataset that is hard to score, and predictions for it: dataset.json in the published scorer's
// form, segmentations/ and predictions/.
//
// One case each for components of 9 and 10 voxels, 50 and 51 components with ties in size, neighbours by
// face, edge and corner, Dice of exactly 0.1 and 0.2, empty sides, ids near 255, float and int16 values, a
// missing file, a single finding and another byte order; then random ones. Two matches of equal Dice never
// exclude each other: which of them the published scorer takes is not laid down.
Outcome write_conformance_cases(const Path& folder, std::uint64_t seed);

}  // namespace fiducial
