#pragma once

#include <string>

#include "fiducial/base/file.h"

namespace fiducial {

struct StoredEntry;

// What tells one state of a file or folder from another: path, size and time of the last change.
std::string file_key(const Path& path);
// The same of all files below a folder of this machine, in a fixed order; nothing where there is none.
std::string keys_below(const Path& folder);
std::string stored_key(const StoredEntry& entry);

}  // namespace fiducial
