#pragma once

#include <optional>
#include <string_view>

#include "fiducial/base/number_text.h"

namespace fiducial {

// An age in years, written as DICOM does: "059Y", or with M, W or D for months, weeks or days.
inline std::optional<double> parse_dicom_age(std::string_view text) {
  constexpr std::string_view units = "YyMmWwDd";
  constexpr double per_year[] = {1, 12, 52.1775, 365.2425};
  if (text.size() < 2 || text.size() > 4) return std::nullopt;
  const auto count = parse_integer(text.substr(0, text.size() - 1));
  const std::size_t unit = units.find(text.back());
  if (!count || *count < 0 || unit == std::string_view::npos) return std::nullopt;
  return static_cast<double>(*count) / per_year[unit / 2];
}

}  // namespace fiducial
