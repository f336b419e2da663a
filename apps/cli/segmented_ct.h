#pragma once

#include <string>

#include "fiducial/segment/chest_segmenter.h"

namespace fiducial::cli {

// Segments a CT and writes its label map, with the names of its labels beside it.
Result<ChestSegmentation> segment_ct(const Path& ct, const Path& output);

// OUT.nii.gz is described by OUT.json.
Path description_of(const Path& output);

}  // namespace fiducial::cli
