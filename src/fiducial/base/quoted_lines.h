#pragma once

#include <string>
#include <string_view>

namespace fiducial {

// What stands before every line of another program's output inside a message. A console breaks lines there
// and nowhere else, so that such a line is never taken for one of ours.
inline constexpr std::string_view quoted_line_start = "\n    | ";

// The lines of an output, each with that before it. White space at the end is left out.
std::string quoted_lines(std::string_view output);

// A message for a terminal: its quoted lines stay lines, and every control character is written out.
std::string printable_message(std::string_view message);

}  // namespace fiducial
