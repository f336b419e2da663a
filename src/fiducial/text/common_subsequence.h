#pragma once

#include <span>
#include <vector>

#include "fiducial/text/vocabulary.h"

namespace fiducial {

// Positions in the reference of one longest common subsequence, ascending. Where several exist, the walk back
// from the ends drops the last prediction word only if that leaves a strictly longer one than dropping the
// last reference word.
std::vector<std::size_t> common_subsequence_places(std::span<const WordId> reference,
                                                   std::span<const WordId> prediction);

}  // namespace fiducial
