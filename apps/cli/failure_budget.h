#pragma once

#include <cstdint>
#include <string>

#include "fiducial/base/result.h"

namespace fiducial::cli {

// How many failed cases a run may have, from --max-failures: a count, or a share of the cases such as "5%".
Result<std::int64_t> allowed_failures(const std::string& text, std::size_t cases);

}  // namespace fiducial::cli
