#pragma once

#include <string>

#include "fiducial/eval/folder/comparison.h"

namespace fiducial {

// A page about a comparison and the folders it was made from: the numbers with their paired tests, groups,
// and the units where the first two systems differ most. One file that needs nothing else.
Result<std::string> comparison_page(const CompareRequest& request, const Json& comparison);

}  // namespace fiducial
