#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace fiducial {

// A text whose lines are at most `width` characters wide: longer ones are broken at spaces, and what follows
// is indented two characters further. A word that is wider stays whole. Width 0: the text as it is.
std::string folded_text(std::string_view text, std::size_t width);

}  // namespace fiducial
