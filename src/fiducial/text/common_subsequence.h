#pragma once

#include <span>
#include <vector>

#include "fiducial/text/vocabulary.h"

namespace fiducial {

// Length of the longest common subsequence. Costs |a| * |b| / 64 steps.
std::size_t common_subsequence_length(std::span<const WordId> a, std::span<const WordId> b);

// Positions in the reference of one longest common subsequence, ascending. Where several exist, the walk back
// from the ends drops the last prediction word only if that leaves a strictly longer one than dropping the
// last reference word.
std::vector<std::size_t> common_subsequence_places(std::span<const WordId> reference,
                                                   std::span<const WordId> prediction);

}  // namespace fiducial
