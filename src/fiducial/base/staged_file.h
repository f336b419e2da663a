#pragma once

#include <string_view>

#include "fiducial/base/file.h"

namespace fiducial {

// Writes a file of a folder that nobody sees yet; flush_folder() before it is published puts all of them on
// disk at once.
Outcome write_staged_file(const Path& path, std::string_view text);

// Flushes all that was written to the file system that holds a folder.
Outcome flush_folder(const Path& folder);

}  // namespace fiducial
