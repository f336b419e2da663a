#include "fiducial/drawing/chart.h"

#include <algorithm>
#include <cmath>

#include "fiducial/base/number_text.h"
#include "fiducial/drawing/svg.h"
#include "fiducial/text/readable.h"

namespace fiducial {

namespace {

constexpr double chart_width = 760;
constexpr double margin = 24;
constexpr double header_height = 84;  // title, subtitle, legend
constexpr double footer_height = 52;  // axis numbers and title
constexpr double character_width = 6.7;
constexpr double group_gap = 8;
constexpr std::size_t series_colours = 6;

double greatest_value(const BarChart& chart) {
  double out = 0;
  for (const BarSeries& series : chart.series) {
    for (const Bar& bar : series.bars) out = std::max(out, bar.value);
  }
  return out;
}

std::string series_class(std::size_t index) { return "series-" + decimal(index % series_colours); }

void draw_header(SvgDrawing& drawing, const BarChart& chart) {
  drawing.text(margin, margin + 10, chart.title, "title");
  drawing.text(margin, margin + 28, chart.subtitle, "soft");
  double x = margin;
  for (std::size_t i = 0; i < chart.series.size(); ++i) {
    drawing.box({x, margin + 38, 11, 11}, series_class(i));
    drawing.text(x + 16, margin + 48, chart.series[i].name);
    x += 40 + character_width * static_cast<double>(character_count(chart.series[i].name));
  }
}

double label_width(const BarChart& chart) {
  std::size_t longest = 0;
  for (const std::string& label : chart.labels) longest = std::max(longest, character_count(label));
  return character_width * static_cast<double>(longest);
}

// Thin bars where there are many series, so that a group stays a group.
double bar_height(const BarChart& chart) { return chart.series.size() > 3 ? 7 : 9; }

std::string axis_text(double value, const BarChart& chart) { return shortest(value) + chart.unit; }

void draw_group_label(SvgDrawing& drawing, const std::string& label, std::size_t every, std::size_t index,
                      const SvgDrawing::Box& group) {
  if (index % every != 0) return;
  drawing.text(group.x + group.width / 2, group.y + group.height + 16, label, "label", TextAnchor::middle);
}

}  // namespace

std::vector<double> axis_values(double greatest, int wanted) {
  if (!(greatest > 0)) return {0, 1};
  const double rough = greatest / wanted;
  const double power = std::pow(10.0, std::floor(std::log10(rough)));
  double step = 10 * power;
  for (const double factor : {1.0, 2.0, 2.5, 5.0}) {
    if (factor * power >= rough * 0.999) {
      step = factor * power;
      break;
    }
  }
  const auto count = static_cast<int>(std::ceil(greatest / step - 1e-9));
  std::vector<double> out;
  // Through text, so that 3 * 0.1 is 0.3.
  for (int i = 0; i <= count; ++i) out.push_back(*parse_double(fixed(i * step, 6)));
  return out;
}

Bar share_bar(std::int64_t count, std::int64_t whole, const std::string& what) {
  const double share = whole == 0 ? 0 : 100.0 * static_cast<double>(count) / static_cast<double>(whole);
  return {share, what + ": " + grouped_digits(count) + " (" + fixed(share, 1) + " %)"};
}

std::string horizontal_bar_svg(const BarChart& chart) {
  const double left = margin + label_width(chart) + 12;
  const double right = chart_width - margin - 24;
  const double thick = bar_height(chart);
  const double group = thick * static_cast<double>(chart.series.size()) + group_gap;
  const double body = group * static_cast<double>(chart.labels.size());
  SvgDrawing drawing(chart_width, header_height + body + footer_height, chart.title);
  draw_header(drawing, chart);
  const std::vector<double> ticks = axis_values(greatest_value(chart), 6);
  const double scale = (right - left) / ticks.back();
  for (const double tick : ticks) {
    drawing.vertical_line(left + tick * scale, header_height, body, tick == 0 ? "axis" : "grid");
    drawing.text(left + tick * scale, header_height + body + 16, axis_text(tick, chart), "soft",
                 TextAnchor::middle);
  }
  drawing.text((left + right) / 2, header_height + body + 36, chart.value_title, "soft", TextAnchor::middle);
  for (std::size_t i = 0; i < chart.labels.size(); ++i) {
    const double top = header_height + group * static_cast<double>(i) + group_gap / 2;
    drawing.text(left - 10, top + (group - group_gap) / 2 + 4, chart.labels[i], "label", TextAnchor::end);
    for (std::size_t s = 0; s < chart.series.size(); ++s) {
      const Bar& bar = chart.series[s].bars[i];
      drawing.box({left, top + thick * static_cast<double>(s), bar.value * scale, thick - 1}, series_class(s),
                  bar.tooltip);
    }
  }
  return drawing.document();
}

std::string vertical_bar_svg(const BarChart& chart) {
  constexpr double body = 260;
  constexpr double top = header_height + 18;  // the title of the values stands above their axis
  const double left = margin + 48;
  const double right = chart_width - margin;
  const double group = (right - left) / static_cast<double>(std::max<std::size_t>(chart.labels.size(), 1));
  const double gap = std::min(group_gap, group * 0.25);
  const double thick = (group - gap) / static_cast<double>(std::max<std::size_t>(chart.series.size(), 1));
  SvgDrawing drawing(chart_width, top + body + footer_height, chart.title);
  draw_header(drawing, chart);
  const std::vector<double> ticks = axis_values(greatest_value(chart), 5);
  const double scale = body / ticks.back();
  const double base = top + body;
  for (const double tick : ticks) {
    drawing.horizontal_line(left, base - tick * scale, right - left, tick == 0 ? "axis" : "grid");
    drawing.text(left - 8, base - tick * scale + 4, axis_text(tick, chart), "soft", TextAnchor::end);
  }
  drawing.text(margin, top - 12, chart.value_title, "soft");
  drawing.text((left + right) / 2, base + 38, chart.label_title, "soft", TextAnchor::middle);
  const auto every = static_cast<std::size_t>(std::max(1.0, std::ceil((label_width(chart) + 6) / group)));
  for (std::size_t i = 0; i < chart.labels.size(); ++i) {
    const double x = left + group * static_cast<double>(i);
    draw_group_label(drawing, chart.labels[i], every, i, {x, top, group, body});
    for (std::size_t s = 0; s < chart.series.size(); ++s) {
      const Bar& bar = chart.series[s].bars[i];
      const double height = bar.value * scale;
      drawing.box({x + gap / 2 + thick * static_cast<double>(s), base - height, thick * 0.92, height},
                  series_class(s), bar.tooltip);
    }
  }
  return drawing.document();
}

}  // namespace fiducial
