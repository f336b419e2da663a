#pragma once

#include <string>
#include <string_view>

namespace fiducial {

// Where a text stands relative to its point.
enum class TextAnchor { start, middle, end };

// A drawing in user units, written from back to front. Colours come from classes, so that one file is
// readable on light and dark pages: paper (background), title, label, soft (secondary text), grid, axis, and
// series-0 .. series-5.
class SvgDrawing {
 public:
  SvgDrawing(double width, double height, std::string title);

  struct Box {
    double x = 0;
    double y = 0;
    double width = 0;
    double height = 0;
  };
  // A tooltip, where there is one, is what a browser shows under the pointer.
  void box(const Box& at, std::string_view css_class, std::string_view tooltip = {});
  void horizontal_line(double x, double y, double length, std::string_view css_class);
  void vertical_line(double x, double y, double length, std::string_view css_class);
  void text(double x, double y, std::string_view content, std::string_view css_class = "label",
            TextAnchor anchor = TextAnchor::start);

  std::string document() const;  // a whole SVG file

 private:
  void line(const Box& along, std::string_view css_class);

  double width_;
  double height_;
  std::string title_;
  std::string body_;
};

}  // namespace fiducial
