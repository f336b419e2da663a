#pragma once

#include <optional>
#include <string>
#include <vector>

#include "fiducial/eval/outputs/summary_values.h"
#include "fiducial/pages/html.h"

namespace fiducial {

// A unit on a strip: its value, its name, and what a pointer over it tells. Either may be empty.
struct StripDot {
  double value = 0;
  std::string name;
  std::string tooltip;
};

// One row of a plot: a group, its units and its values by one or two scorers.
struct Strip {
  std::string label;
  std::int64_t n = 0;
  std::vector<StripDot> dots;
  std::optional<ReportedValue> mean;
  std::optional<ReportedValue> other_mean;
};

// Strips on one axis from 0 to 1. Dots of nearly equal value stand above each other; the lowest and the
// highest of a strip are named. Places are shares of the width, so that letters keep their size on any
// screen.
Html strip_plot(const std::string& title, const std::vector<Strip>& strips);

// A mean with its interval on an axis from 0 to 1, as small as a table cell.
Html interval_mark(const std::optional<ReportedValue>& mean, const std::optional<ReportedValue>& other);

}  // namespace fiducial
