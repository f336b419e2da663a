#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace fiducial {

// The position of the first byte that is not well-formed UTF-8, if any.
std::optional<std::size_t> first_invalid_utf8(std::string_view text);

// Length of the well-formed sequence that the text begins with: 1 to 4, or 0 where there is none.
std::size_t utf8_length(std::string_view text);

// How many code points a well-formed text has.
std::size_t code_points(std::string_view text);

// Appends a code point, which must be a Unicode scalar value.
void append_utf8(std::string& text, char32_t code_point);

}  // namespace fiducial
