#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace fiducial {

// Words in the manner of the Penn Treebank, in lower case: punctuation stands alone, clitics are
// split off ("don't": "do", "n't"), a full stop only at the end of a sentence, a comma or colon unless a
// digit follows. Sentences end at . ! ? before white space, unless a lower-case letter follows or the word is
// a usual abbreviation.
std::vector<std::string> treebank_words(std::string_view text);

}  // namespace fiducial
