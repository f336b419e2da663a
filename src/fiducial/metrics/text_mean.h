#pragma once

#include <vector>

namespace fiducial {

// The mean of one number an item, summed in the order of the items.
template <typename Items, typename NumberOf>
double mean_over(const Items& items, NumberOf number_of) {
  double sum = 0;
  for (const auto& item : items) sum += number_of(item);
  return sum / static_cast<double>(items.size());
}

}  // namespace fiducial
