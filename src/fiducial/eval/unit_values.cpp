#include "fiducial/eval/unit_values.h"

#include <algorithm>
#include <utility>

namespace fiducial {

void UnitValues::pack() {
  const bool is_small = std::all_of(values_.begin(), values_.end(), [](double value) {
    return value >= 0 && value <= 255 && value == static_cast<double>(static_cast<std::uint8_t>(value));
  });
  if (!is_small) return;
  small_.assign(values_.begin(), values_.end());
  std::vector<double>().swap(values_);
}

}  // namespace fiducial
