#pragma once

#include <array>
#include <optional>
#include <string_view>
#include <vector>

#include "fiducial/base/json.h"

namespace fiducial {

// Six numbers that are a box, as written.
using WrittenBox = std::array<double, 6>;

// What a value of a document says of boxes.
struct BoxReading {
  std::optional<WrittenBox> box;
  bool is_odd = false;  // an array of numbers that is no box
};

// Six numbers in an array, in two of three, or in an object; ends that are named by their keys ("x_min",
// "upper_z") become corners.
BoxReading read_box(const Json& value);

// The boxes that a text holds in brackets: "[10, 20, 30, 40, 50, 60]", "(10,20,30) to (40,50,60)".
std::vector<WrittenBox> boxes_in_text(std::string_view text);

}  // namespace fiducial
