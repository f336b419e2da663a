#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace fiducial {

// "12,345": counts as a person reads them.
std::string grouped_count(std::int64_t count);
// "12 scans", "1 scan".
std::string counted(std::int64_t count, std::string_view noun);

}  // namespace fiducial
