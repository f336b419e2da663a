#pragma once

#include "fiducial/base/file.h"
#include "fiducial/base/sha256.h"

namespace fiducial {

// A hash of which files lie at a path or below it: their names, their sizes, and when each last changed, a
// time that nobody can set. Not of their bytes, so that it costs little for folders of any size. Hidden
// files, which our own journals are, do not count; neither does what cannot be read, which is told by whoever
// needs it.
Digest state_of_files(const Path& path);

}  // namespace fiducial
