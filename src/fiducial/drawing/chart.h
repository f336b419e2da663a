#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace fiducial {

// A bar of a series: how long it is, and what a pointer over it tells.
struct Bar {
  double value = 0;
  std::string tooltip;
};

// The share of a count in percent, with what the bar is of.
Bar share_bar(std::int64_t count, std::int64_t whole, const std::string& what);

struct BarSeries {
  std::string name;
  std::vector<Bar> bars;  // one a label of the chart
};

// Bars side by side, one group a label and one bar a series in it. Values are shares in percent or counts,
// never negative.
struct BarChart {
  std::string title;
  std::string subtitle;
  std::string value_title;  // what the bars measure
  std::string label_title;  // what the labels are
  std::string unit;         // follows the numbers of the axis, such as " %"
  std::vector<std::string> labels;
  std::vector<BarSeries> series;
};

// Groups below each other with room for long labels: categories.
std::string horizontal_bar_svg(const BarChart& chart);

// Groups beside each other: histograms. Where labels would touch, only every n-th is written.
std::string vertical_bar_svg(const BarChart& chart);

// Round steps that divide 0 .. greatest into about `wanted` parts; the last value is at least the greatest.
std::vector<double> axis_values(double greatest, int wanted);

}  // namespace fiducial
