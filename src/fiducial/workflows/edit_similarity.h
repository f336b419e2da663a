#pragma once

#include <string_view>

namespace fiducial {

// 1 - d / max(|a|, |b|) of the Levenshtein distance d between two texts in characters, white space at the
// ends aside; 1 for two empty ones. Texts are compared as far as 20,000 characters.
double edit_similarity(std::string_view a, std::string_view b);

}  // namespace fiducial
