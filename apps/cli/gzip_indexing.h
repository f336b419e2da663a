#pragma once

#include <string>

#include "fiducial/base/result.h"

#include "console.h"

namespace fiducial::cli {

// `fiducial convert --index`: an index beside a .nii.gz file, or beside each of those below a folder. One
// that fits its file is kept; one that does not is replaced where that was asked for.
Result<int> index_gzip_files(const std::string& file_or_folder, bool overwrite, Console& console);

}  // namespace fiducial::cli
