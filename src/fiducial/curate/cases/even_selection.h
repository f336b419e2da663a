#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "fiducial/base/python_random.h"

namespace fiducial {

// What a case counts for: of every kind (its ICD chapter, the modalities of its images) its labels, at least
// one.
using CaseLabels = std::vector<std::vector<std::string>>;

// The places of `wanted` cases, or of all where there are fewer, in ascending order: of every kind each label
// occurs as evenly as cases allow. Takes one case after another, always of those whose labels were taken
// least; which of equal ones is a matter of the draws.
std::vector<std::size_t> evenly_selected(const std::vector<CaseLabels>& cases, std::size_t wanted,
                                         PythonRandom& random);

}  // namespace fiducial
