#include "fiducial/datasets/counted.h"

#include "fiducial/base/number_text.h"

namespace fiducial {

std::string grouped_count(std::int64_t count) {
  std::string out = decimal(count);
  const std::size_t first = count < 0 ? 1 : 0;
  for (std::size_t i = out.size(); i > first + 3;) {
    i -= 3;
    out.insert(i, ",");
  }
  return out;
}

std::string counted(std::int64_t count, std::string_view noun) {
  return grouped_count(count) + " " + std::string(noun) + (count == 1 ? "" : "s");
}

}  // namespace fiducial
