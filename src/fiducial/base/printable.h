#pragma once

#include <string>
#include <string_view>

namespace fiducial {

// Texts of strangers for a terminal or a page of text: control characters, characters that turn the direction
// of writing and malformed bytes are written out (\u001b, \n, \xff), everything else stays. Inside the
// strings of a JSON document that is the same document.

// For one line: line breaks and tabs are written out, too.
std::string printable(std::string_view text);

// For a text of several lines.
std::string printable_lines(std::string_view text);

}  // namespace fiducial
