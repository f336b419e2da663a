#pragma once

#include <string>
#include <string_view>

namespace fiducial {

// The text with character references decoded once, as Python's html.unescape does it: the full table of HTML
// 5, names that need no semicolon also as the beginning of longer words, and numbers with the standard's
// replacements.
std::string html_unescaped(std::string_view text);

}  // namespace fiducial
