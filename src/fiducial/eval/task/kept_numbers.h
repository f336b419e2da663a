#pragma once

#include <vector>

#include "fiducial/base/json.h"
#include "fiducial/base/result.h"

namespace fiducial {

// Numbers of a piece of work as one text, every one as it was: an array would take many times the memory.
Json kept_numbers(const std::vector<double>& numbers);

// Back again; refuses another count of them, and what is no number.
Result<std::vector<double>> parse_kept_numbers(const Json& piece, const std::string& key, std::size_t count);

}  // namespace fiducial
