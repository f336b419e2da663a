#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "fiducial/text/sentences.h"

namespace fiducial {

// A size as a report writes it, in millimetres.
struct Measurement {
  TextSpan span;  // from the first digit to the end of the unit
  std::array<double, 3> mm{};
  std::uint8_t arity = 1;  // how many of mm are given: a length, a product of two, or of three
  bool range = false;      // "2-3 mm": mm[0] to mm[1], arity 1
  bool is_limit = false;   // "less than 1 cm", "not exceeding 5 mm": it is not that large

  double largest_mm() const;
  // Whether two say the same in the same place, as a size or as a limit.
  friend bool operator==(const Measurement& a, const Measurement& b) {
    return a.span == b.span && a.mm == b.mm && a.arity == b.arity && a.range == b.range;
  }
};

// The measurements of a text, in order: "7 mm", "5-mm", "1.5x2 cm", "13 x 9,3 mm", "10 by 12 mm", ".5 cm",
// and ranges: "2-3 mm", "2 to 3 mm", "between 2 and 3 mm". The unit of the last factor holds for those
// without one. Numbers without a unit of length, and products of more than three, are no measurements; "from
// 5 mm to 8 mm" are two.
std::vector<Measurement> find_measurements(std::string_view text);

// Products of numbers that were cut off before their unit ("5x4x5. On the right"), as written.
std::vector<std::string> find_sizes_without_unit(std::string_view text);

// The measurement as text: "7 mm", "13 x 9.3 mm", "2-3 mm".
std::string measurement_text(const Measurement& measurement);

}  // namespace fiducial
