#include "fiducial/datasets/radgenome/size_text.h"

#include <algorithm>
#include <cmath>
#include <functional>

#include "fiducial/text/unicode.h"

namespace fiducial::radgenome {

namespace {

// The least and the most mm of a one-dimensional size.
std::array<double, 2> bounds_of(const Measurement& size) {
  return size.range ? std::array{std::min(size.mm[0], size.mm[1]), std::max(size.mm[0], size.mm[1])}
                    : std::array{size.largest_mm(), size.largest_mm()};
}

double range_distance(const std::array<double, 2>& a, const std::array<double, 2>& b) {
  return std::max({0.0, b[0] - a[1], a[0] - b[1]});
}

}  // namespace

std::optional<Measurement> find_size(std::string_view cell) {
  std::string_view text = white_space_trimmed(cell);
  while (text.ends_with('.')) text.remove_suffix(1);
  const std::vector<Measurement> found = find_measurements(text);
  if (found.size() != 1 || found[0].span.begin != 0 || found[0].span.end != text.size()) return std::nullopt;
  return found[0];
}

std::optional<Measurement> find_size_in(std::string_view answer) {
  const std::vector<Measurement> found = find_measurements(answer);
  return found.empty() ? std::nullopt : std::optional(found[0]);
}

double size_difference_mm(const Measurement& reference, const Measurement& prediction) {
  if (reference.range || prediction.range || reference.arity != prediction.arity) {
    return range_distance(bounds_of(reference), bounds_of(prediction));
  }
  std::array<double, 3> a = reference.mm;
  std::array<double, 3> b = prediction.mm;
  std::sort(a.begin(), a.end(), std::greater<>());  // dimensions that are not given are 0, and last
  std::sort(b.begin(), b.end(), std::greater<>());
  double sum = 0;
  for (std::size_t i = 0; i < reference.arity; ++i) sum += std::abs(a.at(i) - b.at(i));
  return sum / reference.arity;
}

double size_difference_of_none_mm(const Measurement& reference) {
  Measurement none = reference;
  none.mm = {};
  return size_difference_mm(reference, none);
}

}  // namespace fiducial::radgenome
