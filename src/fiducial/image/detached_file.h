#pragma once

#include <memory>
#include <optional>
#include <string>

#include "fiducial/base/byte_stream.h"
#include "fiducial/base/result.h"

namespace fiducial {

// Opens the file that a header names as the place of its voxels.
//
// Only a file of the header's own folder is opened: names with a folder in them, absolute ones and links that
// lead out of it are refused, and so is every name where the header itself is no file (a member of an
// archive).
Result<std::unique_ptr<FileStream>> open_detached(const std::optional<Path>& header_file,
                                                  const std::string& name);

}  // namespace fiducial
