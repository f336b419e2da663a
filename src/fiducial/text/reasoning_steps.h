#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace fiducial {

inline constexpr std::size_t max_reasoning_steps = 15;

// An explanation cut into steps without a model, as the published splitter does where its model fails: after
// '.', '!' or '?' before white space, at ';' before white space, and at line ends; abbreviations are cut too.
// White space is collapsed, spaces, tabs, '-' and bullets go from both ends; at most 15 steps. A bullet alone
// is an empty step for the published splitter, and none here unless keeps_empty.
std::vector<std::string> split_reasoning_steps(std::string_view explanation, bool keeps_empty);

}  // namespace fiducial
