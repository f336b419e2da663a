#pragma once

#include <string>
#include <string_view>

namespace fiducial {

// A reply in plain characters: full-width, circled and mathematical letters and digits become ASCII, marks of
// other scripts the mark that they stand for, ticks and crosses words. Emphasis, headings, quotation marks,
// tags and LaTeX are taken away; \boxed{X} becomes a line of its own that starts with `boxed_mark`.
std::string plain_characters(std::string_view reply);

inline constexpr char boxed_mark = '\x01';

}  // namespace fiducial
