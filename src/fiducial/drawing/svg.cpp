#include "fiducial/drawing/svg.h"

#include "fiducial/base/number_text.h"
#include "fiducial/text/html_text.h"

namespace fiducial {

namespace {

constexpr std::string_view style = R"(<style>
text { font: 12px system-ui, -apple-system, "Segoe UI", "DejaVu Sans", sans-serif; fill: #1d2433; }
.title { font-size: 16px; font-weight: 600; }
.soft { fill: #667085; font-size: 11px; }
.paper { fill: #ffffff; }
.grid { stroke: #e6e9ef; }
.axis { stroke: #98a2b3; }
.series-0 { fill: #3b76d6; } .series-1 { fill: #e08a2b; } .series-2 { fill: #2a9d8f; }
.series-3 { fill: #9a62c7; } .series-4 { fill: #c8516b; } .series-5 { fill: #7d8796; }
@media (prefers-color-scheme: dark) {
text { fill: #e6e9ef; }
.soft { fill: #9aa4b5; }
.paper { fill: #12161f; }
.grid { stroke: #262d3b; }
.axis { stroke: #5d687b; }
.series-0 { fill: #6a9ff0; } .series-1 { fill: #f0a854; } .series-2 { fill: #4cc2b2; }
.series-3 { fill: #b98ae0; } .series-4 { fill: #e07a92; } .series-5 { fill: #a3adbd; }
}
</style>
)";

// Two digits are finer than any screen.
std::string svg_number(double value) {
  std::string out = fixed(value, 2);
  out.erase(out.find_last_not_of('0') + 1);
  if (out.ends_with('.')) out.pop_back();
  return out == "-0" ? "0" : out;
}

std::string attribute(std::string_view name, double value) {
  return " " + std::string(name) + "=\"" + svg_number(value) + "\"";
}

std::string attribute(std::string_view name, std::string_view value) {
  return " " + std::string(name) + "=\"" + html_escaped(value) + "\"";
}

}  // namespace

SvgDrawing::SvgDrawing(double width, double height, std::string title)
    : width_(width), height_(height), title_(std::move(title)) {}

void SvgDrawing::box(const Box& at, std::string_view css_class, std::string_view tooltip) {
  body_ += "<rect" + attribute("x", at.x) + attribute("y", at.y) + attribute("width", at.width) +
           attribute("height", at.height) + attribute("class", css_class);
  if (tooltip.empty()) {
    body_ += "/>\n";
  } else {
    body_ += "><title>" + html_escaped(tooltip) + "</title></rect>\n";
  }
}

void SvgDrawing::horizontal_line(double x, double y, double length, std::string_view css_class) {
  line({x, y, length, 0}, css_class);
}

void SvgDrawing::vertical_line(double x, double y, double length, std::string_view css_class) {
  line({x, y, 0, length}, css_class);
}

void SvgDrawing::line(const Box& along, std::string_view css_class) {
  body_ += "<line" + attribute("x1", along.x) + attribute("y1", along.y) +
           attribute("x2", along.x + along.width) + attribute("y2", along.y + along.height) +
           attribute("class", css_class) + "/>\n";
}

void SvgDrawing::text(double x, double y, std::string_view content, std::string_view css_class,
                      TextAnchor anchor) {
  constexpr std::string_view anchors[] = {"start", "middle", "end"};
  body_ += "<text" + attribute("x", x) + attribute("y", y) + attribute("class", css_class) +
           attribute("text-anchor", anchors[static_cast<std::size_t>(anchor)]) + ">" + html_escaped(content) +
           "</text>\n";
}

std::string SvgDrawing::document() const {
  return "<svg xmlns=\"http://www.w3.org/2000/svg\"" +
         attribute("viewBox", "0 0 " + svg_number(width_) + " " + svg_number(height_)) +
         attribute("width", width_) + attribute("height", height_) + " role=\"img\">\n<title>" +
         html_escaped(title_) + "</title>\n" + std::string(style) +
         "<rect width=\"100%\" height=\"100%\" class=\"paper\"/>\n" + body_ + "</svg>\n";
}

}  // namespace fiducial
