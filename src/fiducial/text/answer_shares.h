#pragma once

#include <array>
#include <optional>
#include <string_view>

#include "fiducial/base/json.h"
#include "fiducial/text/answer_extraction.h"

namespace fiducial {

// A reply of nothing but shares, "A: 10 %, B: 80 %": the option with the largest, or ambiguous where two have
// it.
std::optional<ExtractedAnswer> answer_by_shares(std::string_view reply);

// The same for an object whose members are options, {"A": 0.1, "B": 0.8}.
std::optional<ExtractedAnswer> answer_by_shares(const Json& value);

}  // namespace fiducial
