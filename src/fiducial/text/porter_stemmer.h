#pragma once

#include <string>
#include <string_view>

namespace fiducial {

// The stem of a lower-case word by Porter's algorithm with the extensions of NLTK 3, which rouge-score and
// NLTK's METEOR use: irregular forms, shorter "ies" and "ied", "y" to "i" only after a consonant, and three
// more suffixes in step 2. Words of one or two letters are their own stem.
std::string porter_stem(std::string_view word);

}  // namespace fiducial
