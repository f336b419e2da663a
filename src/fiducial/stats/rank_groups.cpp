#include "fiducial/stats/rank_groups.h"

#include <algorithm>
#include <numeric>

namespace fiducial {

std::vector<double> holm_adjusted(std::span<const double> p) {
  std::vector<std::size_t> order(p.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](std::size_t i, std::size_t j) { return p[i] < p[j]; });
  std::vector<double> out(p.size());
  double least = 0;
  for (std::size_t k = 0; k < order.size(); ++k) {
    least = std::max(least, std::min(1.0, static_cast<double>(p.size() - k) * p[order[k]]));
    out[order[k]] = least;
  }
  return out;
}

std::vector<std::size_t> tie_groups(
    std::size_t systems, const std::function<bool(std::size_t leader, std::size_t other)>& differs) {
  std::vector<std::size_t> out(systems);
  std::size_t leader = 0;
  for (std::size_t i = 1; i < systems; ++i) {
    const bool starts_group = differs(leader, i);
    out[i] = out[i - 1] + (starts_group ? 1 : 0);
    if (starts_group) leader = i;
  }
  return out;
}

std::vector<std::size_t> ranks(std::span<const std::optional<double>> values, bool higher_is_better) {
  const auto better = [&](const std::optional<double>& a, const std::optional<double>& b) {
    if (!a || !b) return a && !b;
    return higher_is_better ? *a > *b : *a < *b;
  };
  std::vector<std::size_t> out;
  for (const auto& value : values) {
    out.push_back(
        1 + static_cast<std::size_t>(std::count_if(values.begin(), values.end(),
                                                   [&](const auto& other) { return better(other, value); })));
  }
  return out;
}

}  // namespace fiducial
