#pragma once

#include <string>

#include "fiducial/base/file.h"

namespace fiducial {

struct StoredEntry;

// What tells one state of a file or folder from another: path, size and time of the last change.
std::string file_key(const Path& path);
std::string stored_key(const StoredEntry& entry);

}  // namespace fiducial
