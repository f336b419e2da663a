#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "fiducial/base/result.h"

namespace fiducial {

// A line of a rule file, without its comment and the space around it, and where it stands.
struct RuleLine {
  std::string_view text;
  std::uint64_t number = 0;
};

// The lines that say something. A comment runs from "#" to the end of its line.
std::vector<RuleLine> rule_lines(std::string_view text);

// The parts between separators, without the space around them; empty parts are left out.
std::vector<std::string_view> split_trimmed(std::string_view text, char separator);

// All phrases a pattern stands for, in lower case: "(s)" is optional, "{a,b}" is one of, a hyphen is a space.
// Refused: brackets that do not close, and more than 4096 phrases.
Result<std::vector<std::string>> expanded_pattern(std::string_view pattern);

}  // namespace fiducial
