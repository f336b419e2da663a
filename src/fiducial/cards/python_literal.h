#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "fiducial/base/json.h"

namespace fiducial {

// What Python prints for a value: a text as it is, null as None, lists and objects as literals.
std::string python_text(const Json& value);

// The list of texts that a literal such as ['a', "it's"] stands for; nothing where it is no such literal, or
// not written as Python would.
std::optional<Json> parse_python_list(std::string_view text);

}  // namespace fiducial
