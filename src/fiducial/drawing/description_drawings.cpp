#include "fiducial/drawing/description_drawings.h"

#include "fiducial/drawing/chart.h"
#include "fiducial/text/readable.h"

namespace fiducial {

namespace {

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
