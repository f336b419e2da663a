#pragma once

#include <optional>
#include <string>
#include <vector>

#include "fiducial/eval/outputs/summary_values.h"

namespace fiducial {

// A finding on a strip: its value, and what a pointer over it tells.
struct StripDot {
  double value = 0;
  std::string tooltip;
};

// One row of a plot: a group, its findings and its means by one or two scorers.
struct Strip {
  std::string label;
  std::int64_t n = 0;
  std::vector<StripDot> dots;
  std::optional<ReportedValue> mean;
  std::optional<ReportedValue> other_mean;
};

// Strips on one axis from 0 to 1, as SVG for a page with the report's style. Dots of nearly equal value stand
// above each other.
std::string strip_plot(const std::string& title, const std::vector<Strip>& strips);

// A mean with its interval on an axis from 0 to 1, as small as a table cell.
std::string interval_mark(const std::optional<ReportedValue>& mean,
                          const std::optional<ReportedValue>& other);

}  // namespace fiducial
