#include "failure_budget.h"

#include <cmath>
#include <string_view>

#include "fiducial/base/number_text.h"

namespace fiducial::cli {

Result<std::int64_t> allowed_failures(const std::string& text, std::size_t cases) {
  const bool is_share = text.ends_with("%");
  const auto number = parse_double(is_share ? std::string_view(text).substr(0, text.size() - 1) : text);
  const bool in_range = number && *number >= 0 && *number <= 1e9;
  if (!in_range || (!is_share && *number != std::floor(*number))) {
    return bad_usage("--max-failures is \"" + text + "\"; expected a count or a share such as 5%");
  }
  // Multiplied first: 29% of 100 cases are 29.
  return static_cast<std::int64_t>(is_share ? *number * static_cast<double>(cases) / 100 : *number);
}

}  // namespace fiducial::cli
