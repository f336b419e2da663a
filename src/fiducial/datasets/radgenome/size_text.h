#pragma once

#include <optional>
#include <string_view>

#include "fiducial/findings/measurements.h"

namespace fiducial::radgenome {

// A size cell that is one measurement and nothing else: "7 mm", "1.2 x 0.8 cm" (both in cm), "2-3 mm".
std::optional<Measurement> find_size(std::string_view cell);

// The first measurement of an answer in free words.
std::optional<Measurement> find_size_in(std::string_view answer);

// How far two sizes are apart in mm: the mean difference of their dimensions, the largest first; where they
// have not the same number of them, the difference of the largest. A range is met by what lies in it.
double size_difference_mm(const Measurement& reference, const Measurement& prediction);

// How far an absent size, which is 0 mm, is from the reference.
double size_difference_of_none_mm(const Measurement& reference);

}  // namespace fiducial::radgenome
