#pragma once

#include <string_view>
#include <vector>

namespace fiducial {

// Every {...} whose braces balance outside of strings, in the order of the text; of nested ones the
// outermost.
std::vector<std::string_view> balanced_objects(std::string_view text);

}  // namespace fiducial
