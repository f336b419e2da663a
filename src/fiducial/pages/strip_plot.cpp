#include "fiducial/pages/strip_plot.h"

#include <algorithm>
#include <cmath>
#include <map>

#include "fiducial/base/number_text.h"
#include "fiducial/text/html_text.h"

namespace fiducial {

namespace {

constexpr double strip_middle = 20;
constexpr double dot_room = 13;  // above and below the middle
constexpr int dot_bins = 100;    // dots of one bin stand above each other
constexpr const char* diamond = "M0 -6l6 6l-6 6l-6 -6z";
constexpr const char* larger_diamond = "M0 -8l8 8l-8 8l-8 -8z";  // hollow: it shows around an equal mean

std::string axis_number(double value) {
  std::string out = fixed(value, 1);
  if (out.ends_with(".0")) out.erase(out.size() - 2);
  return out == "-0" ? "0" : out;
}

// Where a value stands on the axis.
std::string place_of(double value) { return axis_number(100 * std::clamp(value, 0.0, 1.0)) + "%"; }

std::string grid_lines() {
  std::string out;
  for (const double tick : {0.0, 0.25, 0.5, 0.75, 1.0})
    out += "<line class=\"grid\" x1=\"" + place_of(tick) + "\" x2=\"" + place_of(tick) + "\" y2=\"100%\"/>";
  return out;
}

std::string axis_row() {
  std::string out = "<svg class=\"plot\" height=\"20\">";
  for (const double tick : {0.0, 0.25, 0.5, 0.75, 1.0})
    out += "<text class=\"tick\" x=\"" + place_of(tick) + "\" y=\"15\">" + fixed(tick, 2) + "</text>";
  return out + "</svg>";
}

// Positions around the middle, next to it first: 0, 1, -1, 2, -2, ...
double stacked(std::size_t nth) {
  const std::size_t steps = (nth + 1) / 2;
  return nth % 2 == 1 ? static_cast<double>(steps) : -static_cast<double>(steps);
}

std::string dots_of(const Strip& strip) {
  const auto bin_of = [](double value) { return static_cast<int>(std::lround(value * dot_bins)); };
  std::map<int, std::size_t> sizes;
  for (const StripDot& dot : strip.dots) ++sizes[bin_of(dot.value)];
  std::size_t most = 1;
  for (const auto& [bin, size] : sizes) most = std::max(most, size);
  const double step = std::min(5.5, 2 * dot_room / static_cast<double>(most));
  std::map<int, std::size_t> placed;
  std::string out;
  for (const StripDot& dot : strip.dots) {
    const double y = strip_middle + step * stacked(placed[bin_of(dot.value)]++);
    out += "<circle cx=\"" + place_of(dot.value) + "\" cy=\"" + axis_number(y) + "\" r=\"3.4\">";
    if (!dot.tooltip.empty()) out += "<title>" + html_escaped(dot.tooltip) + "</title>";
    out += "</circle>";
  }
  return "<g class=\"dots\">" + out + "</g>";
}

std::string name_of(const StripDot& dot) {
  if (dot.name.empty()) return "";
  return std::string("<text class=\"dot-name") + (dot.value > 0.5 ? " end" : "") + "\" x=\"" +
         place_of(dot.value) + "\" y=\"49\">" + html_escaped(dot.name) + "</text>";
}

// The lowest and, far enough from it, the highest.
std::string dot_names(const Strip& strip) {
  if (strip.dots.empty()) return "";
  const auto [low, high] =
      std::minmax_element(strip.dots.begin(), strip.dots.end(),
                          [](const StripDot& a, const StripDot& b) { return a.value < b.value; });
  const bool are_apart = low->value <= 0.5 && high->value > 0.5 && high->value - low->value > 0.4;
  return name_of(*low) + (are_apart ? name_of(*high) : "");
}

std::string mark_at(double value, const char* css_class, const char* shape) {
  return "<svg class=\"at\" x=\"" + place_of(value) + "\" y=\"" + axis_number(strip_middle) +
         "\"><path class=\"" + css_class + "\" d=\"" + shape + "\"/></svg>";
}

std::string means_of(const Strip& strip) {
  std::string out;
  if (strip.other_mean && strip.other_mean->value)
    out += mark_at(*strip.other_mean->value, "other-mean", larger_diamond);
  if (!strip.mean || !strip.mean->value) return out;
  if (strip.mean->low && strip.mean->high) {
    const std::string y = axis_number(strip_middle);
    out += "<line class=\"interval\" x1=\"" + place_of(*strip.mean->low) + "\" x2=\"" +
           place_of(*strip.mean->high) + "\" y1=\"" + y + "\" y2=\"" + y + "\"/>";
  }
  return out + mark_at(*strip.mean->value, "mean", diamond);
}

Html strip_row(const Strip& strip) {
  const bool has_names = std::any_of(strip.dots.begin(), strip.dots.end(),
                                     [](const StripDot& dot) { return !dot.name.empty(); });
  const std::string plot = std::string("<svg class=\"plot\" height=\"") + (has_names ? "54" : "40") + "\">" +
                           grid_lines() + dots_of(strip) + means_of(strip) + dot_names(strip) + "</svg>";
  return fill("strip",
              {{"label", strip.label},
               {"plot", Html::of_markup(plot)},
               {"value", strip.mean && strip.mean->value ? fixed(*strip.mean->value, 3) : std::string()},
               {"n", decimal(strip.n)}}) +
         Html::of_markup("\n");
}

}  // namespace

Html strip_plot(const std::string& title, const std::vector<Strip>& strips) {
  Html rows;
  for (const Strip& strip : strips) rows += strip_row(strip);
  return fill("strip_plot", {{"title", title}, {"strips", rows}, {"axis", Html::of_markup(axis_row())}});
}

Html interval_mark(const std::optional<ReportedValue>& mean, const std::optional<ReportedValue>& other) {
  constexpr double width = 200;
  const auto at = [](double value) { return 9 + std::clamp(value, 0.0, 1.0) * (width - 18); };
  const auto path = [](const char* css_class, double x, double y, const std::string& move) {
    return std::string("<path class=\"") + css_class + "\" d=\"M" + axis_number(x) + " " + axis_number(y) +
           move + "\"/>";
  };
  std::string out = "<svg class=\"mark\" viewBox=\"0 -1 200 18\" aria-hidden=\"true\">";
  out += path("track", 9, 8, "H" + axis_number(width - 9));
  if (other && other->value) out += path("other-mean", at(*other->value), 0, "l8 8l-8 8l-8 -8z");
  if (mean && mean->value) {
    if (mean->low && mean->high)
      out += path("interval", at(*mean->low), 8, "H" + axis_number(at(*mean->high)));
    out += path("mean", at(*mean->value), 2, "l6 6l-6 6l-6 -6z");
  }
  return Html::of_markup(out + "</svg>");
}

}  // namespace fiducial
