#pragma once

#include <string>
#include <vector>

namespace fiducial {

// CIDEr-D of every prediction against its one reference, words being what stands between white space. How
// rare an n-gram is comes from these references, so the scores depend on the whole list, and a list of one
// pair scores 0. The length penalty compares counts of bigrams, as the original program does.
std::vector<double> cider_d(const std::vector<std::string>& references,
                            const std::vector<std::string>& predictions);

}  // namespace fiducial
