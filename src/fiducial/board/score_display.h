#pragma once

#include <string>
#include <string_view>

#include "fiducial/base/result.h"

namespace fiducial {

// How a board shortens the values it shows. Ranks never depend on it.
enum class Shortening {
  truncate,  // digits are cut off: 0.5177 is 0.517
  round,     // to the nearest: 0.5177 is 0.518
  none,      // as given
};
std::string_view to_string(Shortening shortening);
Result<Shortening> parse_shortening(std::string_view name);

struct DisplayRule {
  Shortening shortening = Shortening::round;
  int digits = 3;  // after the point

  friend bool operator==(const DisplayRule&, const DisplayRule&) = default;
};

// The rule of a published board, by its name: the ReXrank v1 page truncates to three decimals, the challenge
// page and every other board round.
DisplayRule display_rule_of(std::string_view board);

// Digits are cut off the shortest decimal text of the value, so 0.285 truncated to three digits stays 0.285
// although the nearest double lies below it.
std::string displayed(double value, const DisplayRule& rule);

}  // namespace fiducial
