#pragma once

#include <optional>
#include <string>

#include "fiducial/base/file.h"

namespace fiducial {

// The commit that a folder of a git checkout stands at, read from its files without running git; nothing
// where no folder above it is a checkout. Refuses a checkout whose HEAD cannot be read.
Result<std::optional<std::string>> checked_out_commit(const Path& folder);

}  // namespace fiducial
