#include "fiducial/text/readable.h"

#include <algorithm>

#include "fiducial/base/number_text.h"

namespace fiducial {

std::string grouped_digits(std::int64_t value) {
  std::string out = decimal(value);
  const std::size_t first = value < 0 ? 1 : 0;
  for (std::size_t i = out.size(); i > first + 3;) {
    i -= 3;
    out.insert(i, 1, ',');
  }
  return out;
}

std::size_t character_count(std::string_view text) {
  return static_cast<std::size_t>(std::count_if(
      text.begin(), text.end(), [](char c) { return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U; }));
}

}  // namespace fiducial
