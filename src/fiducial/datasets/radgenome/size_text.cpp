#include "fiducial/datasets/radgenome/size_text.h"

#include <algorithm>
#include <cmath>
#include <functional>

#include "fiducial/base/ascii.h"
#include "fiducial/text/unicode.h"
#include "fiducial/text/words.h"

namespace fiducial::radgenome {

namespace {

// The least and the most mm of a one-dimensional size.
std::array<double, 2> bounds_of(const Measurement& size) {
  return size.range ? std::array{std::min(size.mm[0], size.mm[1]), std::max(size.mm[0], size.mm[1])}
                    : std::array{size.largest_mm(), size.largest_mm()};
}

// What stands between two numbers in words or other signs, as measurements have it.
struct SpokenSign {
  std::string_view spoken;
  char sign;
};
constexpr SpokenSign spoken_signs[] = {
    {" to ", '-'}, {" by ", 'x'}, {"\xE2\x80\x93", '-'}, {"\xE2\x80\x94", '-'}, {"\xE2\x88\x92", '-'}};

// An answer as sizes are read: "3 to 4 MM" is "3-4 mm", and ".5 cm" is "0.5 cm".
std::string plain_size_text(std::string_view answer) {
  const std::string text = ascii_lower(answer);
  std::string out;
  for (std::size_t at = 0; at < text.size();) {
    const std::string_view rest = std::string_view(text).substr(at);
    const auto* const spoken =
        std::find_if(std::begin(spoken_signs), std::end(spoken_signs), [&](const auto& one) {
          return rest.starts_with(one.spoken) && rest.size() > one.spoken.size() &&
                 is_digit(rest[one.spoken.size()]) && !out.empty() && is_digit(out.back());
        });
    if (spoken != std::end(spoken_signs)) {
      out += spoken->sign;
      at += spoken->spoken.size();
      continue;
    }
    const bool is_bare_point = text[at] == '.' && rest.size() > 1 && is_digit(rest[1]) &&
                               (out.empty() || out.back() == ' ' || out.back() == '>');
    if (is_bare_point) out += '0';
    out += text[at++];
  }
  return out;
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
  const std::vector<Measurement> found = find_measurements(plain_size_text(answer));
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
