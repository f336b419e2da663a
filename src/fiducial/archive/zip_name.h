#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace fiducial {

// Why a name must not appear in an archive, or nothing when it is a plain relative path.
//
// Plain: valid UTF-8 without control characters, parts separated by '/', no part empty, "." or "..", no
// backslash and no drive letter. One '/' at the end marks a folder. So a name can be joined to any folder on
// any system without leaving it.
std::optional<std::string> zip_name_objection(std::string_view name);

// The name for a message: in quotes, with unprintable and malformed bytes as \xNN, shortened when long.
std::string quoted_name(std::string_view name);

}  // namespace fiducial
