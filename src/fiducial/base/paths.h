#pragma once

#include <cstdint>
#include <vector>

#include "fiducial/base/file.h"
#include "fiducial/base/result.h"

namespace fiducial {

// Questions about paths that may be URLs (base/store.h). is_file() of base/file.h is one of them.
//
// A URL whose store does not answer, or forbids the question, counts as a file: whoever opens it is told why.
bool is_there(const Path& path);
bool is_folder(const Path& path);

// Refuses a URL that its store does not answer for, with the reason; of every other path it says nothing. To
// be asked where a folder is taken: what lies in it may be a long list of things that seem to be missing.
Outcome check_reachable(const Path& path);

// The size of a file.
Result<std::uint64_t> stored_size(const Path& path);

struct FolderEntry {
  Path path;
  bool is_folder = false;  // or a link to one
  bool is_link = false;
};

// What lies in a folder, by name.
Result<std::vector<FolderEntry>> entries_of(const Path& folder);

// What lies at any depth below a folder, and is no folder. Links to folders are not followed.
Result<std::vector<Path>> files_below(const Path& folder);

}  // namespace fiducial
