#include "fiducial/eval/task/kept_numbers.h"

#include <algorithm>

#include "fiducial/base/json_fields.h"
#include "fiducial/base/number_text.h"

namespace fiducial {

Json kept_numbers(const std::vector<double>& numbers) {
  std::string out;
  for (const double number : numbers) out += shortest(number) + ' ';
  return out;
}

Result<std::vector<double>> parse_kept_numbers(const Json& piece, const std::string& key, std::size_t count) {
  FIDUCIAL_TRY(const Json* found, required_field(piece, key, ""));
  FIDUCIAL_TRY(const std::string text, expect_string(*found, "/" + key));
  std::vector<double> out;
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find(' ', begin), text.size());
    const auto number = parse_double(std::string_view(text).substr(begin, end - begin));
    if (!number) return at_pointer("/" + key, "expected numbers");
    out.push_back(*number);
    begin = end + 1;
  }
  if (out.size() != count)
    return at_pointer("/" + key, "expected " + decimal(count) + " numbers, found " + decimal(out.size()));
  return out;
}

}  // namespace fiducial
