#include "fiducial/pages/strip_plot.h"

#include <algorithm>
#include <cmath>
#include <map>

#include "fiducial/base/number_text.h"
#include "fiducial/text/html_text.h"

namespace fiducial {

namespace {

constexpr double plot_left = 250;
constexpr double plot_width = 735;
constexpr double full_width = 1090;
constexpr double row_height = 44;
constexpr double top = 14;
constexpr double dot_room = 13;  // above and below the middle of a row
constexpr int dot_bins = 100;    // dots of one bin stand above each other

std::string axis_number(double value) {
  std::string out = fixed(value, 1);
  if (out.ends_with(".0")) out.erase(out.size() - 2);
  return out == "-0" ? "0" : out;
}

double x_of(double value) { return plot_left + std::clamp(value, 0.0, 1.0) * plot_width; }

std::string line(const std::string& css_class, double x, double y, const std::string& move) {
  return "<path class=\"" + css_class + "\" d=\"M" + axis_number(x) + " " + axis_number(y) + move + "\"/>";
}

std::string text(const std::string& css_class, double x, double y, const std::string& words) {
  return "<text class=\"" + css_class + "\" x=\"" + axis_number(x) + "\" y=\"" + axis_number(y) + "\">" +
         html_escaped(words) + "</text>";
}

std::string axis(double bottom) {
  std::string out;
  for (const double tick : {0.0, 0.25, 0.5, 0.75, 1.0}) {
    out += line("grid", x_of(tick), top - 6, "V" + axis_number(bottom));
    std::string label = fixed(tick, 2);
    out += text("tick", x_of(tick), bottom + 18, label);
  }
  return out;
}

// Positions around the middle, next to it first: 0, 1, -1, 2, -2, ...
double stacked(std::size_t nth) {
  const std::size_t steps = (nth + 1) / 2;
  return nth % 2 == 1 ? static_cast<double>(steps) : -static_cast<double>(steps);
}

std::string dots(const Strip& strip, double middle) {
  const auto bin_of = [](double value) { return static_cast<int>(std::lround(value * dot_bins)); };
  std::map<int, std::size_t> sizes;
  for (const StripDot& dot : strip.dots) ++sizes[bin_of(dot.value)];
  std::size_t most = 1;
  for (const auto& [bin, size] : sizes) most = std::max(most, size);
  const double step = std::min(5.5, 2 * dot_room / static_cast<double>(most));
  std::map<int, std::size_t> placed;
  std::string out;
  for (const StripDot& dot : strip.dots) {
    const double y = middle + step * stacked(placed[bin_of(dot.value)]++);
    out += "<circle cx=\"" + axis_number(x_of(dot.value)) + "\" cy=\"" + axis_number(y) + "\" r=\"3.4\">";
    if (!dot.tooltip.empty()) out += "<title>" + html_escaped(dot.tooltip) + "</title>";
    out += "</circle>";
  }
  return "<g class=\"dots\">" + out + "</g>";
}

std::string mean_mark(double x, double y) { return line("mean", x, y - 6, "l6 6l-6 6l-6 -6z"); }

// Larger and hollow, so that it shows around an equal mean.
std::string other_mark(double x, double y) { return line("other-mean", x, y - 8, "l8 8l-8 8l-8 -8z"); }

std::string means(const Strip& strip, double middle) {
  std::string out;
  if (strip.other_mean && strip.other_mean->value) {
    out += other_mark(x_of(*strip.other_mean->value), middle);
  }
  if (!strip.mean || !strip.mean->value) return out;
  if (strip.mean->low && strip.mean->high) {
    out += line("interval", x_of(*strip.mean->low), middle, "H" + axis_number(x_of(*strip.mean->high)));
  }
  return out + mean_mark(x_of(*strip.mean->value), middle);
}

}  // namespace

std::string strip_plot(const std::string& title, const std::vector<Strip>& strips) {
  const double bottom = top + row_height * static_cast<double>(strips.size());
  std::string out = "<svg class=\"strips\" viewBox=\"0 0 " + axis_number(full_width) + " " +
                    axis_number(bottom + 28) + "\" role=\"img\" aria-label=\"" + html_escaped(title) + "\">" +
                    axis(bottom);
  double middle = top + row_height / 2;
  for (const Strip& strip : strips) {
    out += line("row", 0, middle + row_height / 2, "H" + axis_number(full_width)) +
           text("group", plot_left - 18, middle + 4.5, strip.label) + dots(strip, middle) +
           means(strip, middle);
    std::string facts = strip.mean && strip.mean->value ? fixed(*strip.mean->value, 3) : "";
    out += text("value", full_width - 34, middle + 4.5, facts) +
           text("count", full_width, middle + 4.5, decimal(strip.n)) + "\n";
    middle += row_height;
  }
  out +=
      text("tick end", full_width - 34, bottom + 18, "mean") + text("tick end", full_width, bottom + 18, "n");
  return out + "</svg>\n";
}

std::string interval_mark(const std::optional<ReportedValue>& mean,
                          const std::optional<ReportedValue>& other) {
  constexpr double width = 200;
  const auto at = [](double value) { return 9 + std::clamp(value, 0.0, 1.0) * (width - 18); };
  std::string out = "<svg class=\"mark\" viewBox=\"0 -1 200 18\" aria-hidden=\"true\">";
  out += line("track", 9, 8, "H" + axis_number(width - 9));
  if (other && other->value) out += other_mark(at(*other->value), 8);
  if (mean && mean->value) {
    if (mean->low && mean->high)
      out += line("interval", at(*mean->low), 8, "H" + axis_number(at(*mean->high)));
    out += mean_mark(at(*mean->value), 8);
  }
  return out + "</svg>";
}

}  // namespace fiducial
