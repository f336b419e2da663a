#include "fiducial/eval/run/unit_values.h"

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

bool operator==(const UnitValues& a, const UnitValues& b) {
  if (a.size() != b.size()) return false;
  if (a.values_.empty() == b.values_.empty()) return a.values_ == b.values_ && a.small_ == b.small_;
  for (std::size_t i = 0; i < a.size(); ++i) {
    if (a[i] != b[i]) return false;
  }
  return true;
}

SharedValues shared(UnitValues values) {
  values.pack();
  return std::make_shared<const UnitValues>(std::move(values));
}

}  // namespace fiducial
