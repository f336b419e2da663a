#pragma once

#include <string_view>
#include <system_error>

#include "fiducial/base/file.h"

namespace fiducial {

// What the system answered to "cannot <doing>", by its error number.
//
// What the machine lacks or forbids (space, permission, a disk that reads) is io. A path that leads nowhere
// or to something of another kind is invalid_data, as it always was: what the caller gave is wrong, and the
// same command will fail on any machine until it is put right.
Error system_error(std::string_view doing, int number, const Path& path = {});
Error system_error(std::string_view doing, const std::error_code& failure, const Path& path = {});

// Makes a folder and those above it that are missing.
Outcome make_folders(const Path& folder);
// Gives a file or a folder another name, replacing what has it.
Outcome rename_path(const Path& from, const Path& to);

}  // namespace fiducial
