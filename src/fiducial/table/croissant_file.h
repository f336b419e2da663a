#pragma once

#include <span>

#include "fiducial/base/file.h"
#include "fiducial/base/result.h"

namespace fiducial {

// Refuses a folder whose croissant.json is of another dataset: a file of it that is not listed there, or of
// another size. Files that are listed and not there were not downloaded; a folder without that file is fine.
Outcome check_croissant(const Path& folder, std::span<const Path> files);

}  // namespace fiducial
