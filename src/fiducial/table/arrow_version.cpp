#include "fiducial/table/arrow_version.h"

#include <arrow/config.h>

namespace fiducial {

std::string arrow_version() { return arrow::GetBuildInfo().version_string; }

}  // namespace fiducial
