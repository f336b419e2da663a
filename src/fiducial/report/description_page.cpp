#include "fiducial/report/description_page.h"

#include "fiducial/base/number_text.h"
#include "fiducial/report/chart.h"
#include "fiducial/report/text_table.h"

namespace fiducial {

namespace {

// A figure as a cell of a table; "-" where it is unknown.
struct FigureText {
  std::string operator()(std::monostate) const { return "-"; }
  std::string operator()(std::int64_t count) const { return grouped_digits(count); }
  std::string operator()(DescribedMean mean) const { return fixed(mean.value, 2); }
  std::string operator()(DescribedShare share) const { return fixed(100 * share.value, 1) + " %"; }
  std::string operator()(DescribedRange range) const {
    return decimal(range.least) + ".." + decimal(range.greatest);
  }
};

Bar bar_of(const DescribedDistribution& distribution, const DescribedSeries& series,
           const DescribedCount& count) {
  if (distribution.in_shares) return share_bar(count.count, series.whole, count.what);
  return {static_cast<double>(count.count),
          count.what + ": " + grouped_digits(count.count) + " " + series.name};
}

BarChart chart_of(const DescribedDistribution& distribution) {
  BarChart chart{.title = distribution.title,
                 .subtitle = distribution.subtitle,
                 .value_title = distribution.value_title,
                 .label_title = distribution.label_title,
                 .unit = distribution.in_shares ? " %" : "",
                 .labels = distribution.labels};
  for (const DescribedSeries& series : distribution.series) {
    const std::string things = series.things.empty() ? "" : " " + series.things;
    BarSeries bars{.name = series.name + " (" + grouped_digits(series.whole) + things + ")"};
    for (const DescribedCount& count : series.counts)
      bars.bars.push_back(bar_of(distribution, series, count));
    chart.series.push_back(std::move(bars));
  }
  return chart;
}

}  // namespace

std::string description_text(const DatasetDescription& description) {
  TextTable table;
  if (!description.columns.empty()) {
    std::vector<std::string> header{""};
    header.insert(header.end(), description.columns.begin(), description.columns.end());
    table.add(std::move(header));
  }
  bool is_first = true;
  for (const DescribedSection& section : description.sections) {
    if (section.title.empty() && section.rows.empty()) continue;
    if (!is_first) table.add_gap();
    is_first = false;
    if (!section.title.empty()) table.add({section.title});
    for (const DescribedRow& row : section.rows) {
      std::vector<std::string> cells{(row.is_part ? "  " : "") + row.title};
      for (const DescribedFigure& figure : row.figures) cells.push_back(std::visit(FigureText(), figure));
      table.add(std::move(cells));
    }
  }
  std::string out = table.text();
  for (const std::string& line : description.lines) out += line + "\n";
  return out;
}

std::vector<Drawing> description_drawings(const DatasetDescription& description) {
  std::vector<Drawing> out;
  for (const DescribedDistribution& distribution : description.distributions) {
    const BarChart chart = chart_of(distribution);
    out.push_back({distribution.name + ".svg",
                   distribution.labels_are_names ? horizontal_bar_svg(chart) : vertical_bar_svg(chart)});
  }
  return out;
}

}  // namespace fiducial
