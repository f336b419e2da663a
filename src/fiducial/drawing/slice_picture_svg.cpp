#include "fiducial/drawing/slice_picture_svg.h"

#include <algorithm>
#include <functional>

#include "fiducial/base/number_text.h"

namespace fiducial {

namespace {

constexpr std::int64_t overview_pixels = 220;

// Numbers of a drawing need no more than this.
std::string mm(double value) { return fixed(value, 2); }

// Stretches of one line of positions where a property holds.
void append_stretches(std::int64_t length, const std::function<bool(std::int64_t)>& holds,
                      const std::function<void(std::int64_t begin, std::int64_t end)>& append) {
  for (std::int64_t at = 0; at < length; ++at) {
    if (!holds(at)) continue;
    const std::int64_t begin = at;
    while (at < length && holds(at)) ++at;
    append(begin, at);
  }
}

bool is_inside(const Raster& inside, std::int64_t column, std::int64_t row, const PixelBox& box) {
  if (column < 0 || row < 0 || column >= box.width() || row >= box.height()) return false;
  return inside.at(box.left + column, box.top + row) != 0;
}

Raster combined(const Raster& a, const Raster& b, bool in_a, bool in_b) {
  Raster out = Raster::make(a.width, a.height);
  for (std::size_t i = 0; i < out.pixels.size(); ++i) {
    out.pixels[i] = (a.pixels[i] != 0) == in_a && (b.pixels[i] != 0) == in_b ? 1 : 0;
  }
  return out;
}

// Draws parts of one slice in millimetres, so that voxels have the shape they have in the patient.
class PanelWriter {
 public:
  PanelWriter(const SlicePicture& picture, const PixelBox& box)
      : view_(picture.view),
        box_(box),
        width_mm_(static_cast<double>(box.width()) * view_.column_mm),
        height_mm_(static_cast<double>(box.height()) * view_.row_mm) {}

  std::string open(const std::string& label) const {
    return "<svg viewBox=\"0 0 " + mm(width_mm_) + " " + mm(height_mm_) + "\" role=\"img\" aria-label=\"" +
           label + "\">";
  }

  std::string image(const Raster& grey, const std::string& id) const {
    return "<image id=\"" + id + "\" width=\"" + mm(width_mm_) + "\" height=\"" + mm(height_mm_) +
           "\" preserveAspectRatio=\"none\" href=\"" + png_data_uri(grey) + "\"/>";
  }

  std::string plain_ground(const std::string& id) const {
    return "<rect id=\"" + id + "\" class=\"ground\" width=\"" + mm(width_mm_) + "\" height=\"" +
           mm(height_mm_) + "\"/>";
  }

  std::string path(const std::string& css_class, const std::string& data) const {
    if (data.empty()) return "";
    return "<path class=\"" + css_class + "\" transform=\"scale(" + fixed(view_.column_mm, 5) + " " +
           fixed(view_.row_mm, 5) + ")\" d=\"" + data + "\"/>";
  }
  std::string outline(const std::string& css_class, const Raster& inside) const {
    return path(css_class, outline_path(inside, box_));
  }
  std::string fill(const std::string& css_class, const Raster& inside) const {
    return path(css_class, filled_path(inside, box_));
  }

  // Where a part of the slice lies in this one.
  std::string frame(const PixelBox& part) const {
    return "<rect class=\"frame\" x=\"" + mm(static_cast<double>(part.left - box_.left) * view_.column_mm) +
           "\" y=\"" + mm(static_cast<double>(part.top - box_.top) * view_.row_mm) + "\" width=\"" +
           mm(static_cast<double>(part.width()) * view_.column_mm) + "\" height=\"" +
           mm(static_cast<double>(part.height()) * view_.row_mm) + "\"/>";
  }

  std::string scale_bar() const {
    double length = 5;
    for (const double candidate : {10.0, 20.0, 50.0, 100.0}) {
      if (candidate <= width_mm_ * 0.4) length = candidate;
    }
    const double x = width_mm_ * 0.06;
    const double y = height_mm_ * 0.94;
    const std::string line = "d=\"M" + mm(x) + " " + mm(y) + "h" + mm(length) + "\"/>";
    return "<path class=\"bar under\" " + line + "<path class=\"bar\" " + line +
           text(x, y - height_mm_ * 0.025, "start",
                fixed(length, 0) + (view_.in_patient ? " mm" : " voxels"));
  }

  std::string directions() const {
    if (!view_.in_patient) return "";
    return text(width_mm_ * 0.035, height_mm_ * 0.52, "start", "R") +
           text(width_mm_ * 0.965, height_mm_ * 0.52, "end", "L") +
           text(width_mm_ * 0.5, height_mm_ * 0.075, "middle", "A");
  }

 private:
  std::string text(double x, double y, const std::string& anchor, const std::string& words) const {
    return "<text x=\"" + mm(x) + "\" y=\"" + mm(y) + "\" font-size=\"" + mm(height_mm_ * 0.062) +
           "\" text-anchor=\"" + anchor + "\">" + words + "</text>";
  }

  const AxialView& view_;
  PixelBox box_;
  double width_mm_;
  double height_mm_;
};

std::string panel(const std::string& drawing, const std::string& caption) {
  return "<figure>" + drawing + "</svg><figcaption>" + caption + "</figcaption></figure>\n";
}

// An empty drawing says that it is meant to be empty, here or everywhere.
std::string caption_of(const std::string& what, const Raster& inside, bool is_anywhere) {
  if (!is_anywhere) return what + ": empty on every slice";
  const bool is_empty =
      std::all_of(inside.pixels.begin(), inside.pixels.end(), [](std::uint8_t value) { return value == 0; });
  return is_empty ? what + ": none on this slice" : what;
}

std::string overview(const SlicePicture& picture, const std::string& id) {
  const PixelBox whole{0, 0, picture.view.columns(), picture.view.rows()};
  const PanelWriter writer(picture, whole);
  std::string out = writer.open("whole slice");
  out +=
      picture.volume ? writer.image(shrunk(*picture.volume, overview_pixels), id) : writer.plain_ground(id);
  out += writer.fill("truth area", picture.reference) + writer.fill("guess area", picture.prediction);
  out += writer.frame(picture.crop) + writer.directions();
  return panel(out, "Slice " + decimal(picture.slice + 1) + " of " + decimal(picture.slices));
}

}  // namespace

std::string outline_path(const Raster& inside, const PixelBox& box) {
  std::string out;
  for (std::int64_t row = 0; row <= box.height(); ++row) {
    append_stretches(
        box.width(),
        [&](std::int64_t x) { return is_inside(inside, x, row - 1, box) != is_inside(inside, x, row, box); },
        [&](std::int64_t begin, std::int64_t end) {
          out += "M" + decimal(begin) + " " + decimal(row) + "h" + decimal(end - begin);
        });
  }
  for (std::int64_t column = 0; column <= box.width(); ++column) {
    append_stretches(
        box.height(),
        [&](std::int64_t y) {
          return is_inside(inside, column - 1, y, box) != is_inside(inside, column, y, box);
        },
        [&](std::int64_t begin, std::int64_t end) {
          out += "M" + decimal(column) + " " + decimal(begin) + "v" + decimal(end - begin);
        });
  }
  return out;
}

std::string filled_path(const Raster& inside, const PixelBox& box) {
  std::string out;
  for (std::int64_t row = 0; row < box.height(); ++row) {
    append_stretches(
        box.width(), [&](std::int64_t x) { return is_inside(inside, x, row, box); },
        [&](std::int64_t begin, std::int64_t end) {
          out += "M" + decimal(begin) + " " + decimal(row) + "h" + decimal(end - begin) + "v1h-" +
                 decimal(end - begin) + "z";
        });
  }
  return out;
}

std::string slice_panels(const SlicePicture& picture, const std::string& id) {
  const PanelWriter writer(picture, picture.crop);
  const std::string ground_id = id + "-crop";
  const std::string ground = "<use href=\"#" + ground_id + "\"/>";
  const auto both = combined(picture.reference, picture.prediction, true, true);
  const auto missed = combined(picture.reference, picture.prediction, true, false);
  const auto extra = combined(picture.reference, picture.prediction, false, true);

  std::string out = "<div class=\"panels\">\n" + overview(picture, id + "-whole");
  out += panel(writer.open("CT") +
                   (picture.volume ? writer.image(cropped(*picture.volume, picture.crop), ground_id)
                                   : writer.plain_ground(ground_id)) +
                   writer.directions() + writer.scale_bar(),
               picture.volume ? "CT, " + std::string(picture.window.name) : "No CT was given");
  out += panel(writer.open("reference") + ground + writer.outline("truth line", picture.reference),
               caption_of("Reference", picture.reference, true));
  out += panel(writer.open("prediction") + ground + writer.outline("guess line", picture.prediction),
               caption_of("Prediction", picture.prediction, picture.has_prediction));
  out += panel(writer.open("difference") + ground + writer.fill("both area", both) +
                   writer.fill("truth area", missed) + writer.fill("guess area", extra),
               "Difference");
  return out + "</div>\n";
}

std::string slice_strip(const SlicePicture& picture, const std::string& id) {
  if (picture.strip.empty()) return "";
  const PanelWriter writer(picture, picture.crop);
  std::string out =
      "<div class=\"panels slices\" tabindex=\"0\" role=\"group\" aria-label=\"Slices through the "
      "finding\">\n";
  for (const StripSlice& one : picture.strip) {
    const std::string number = decimal(one.slice + 1);
    const std::string ground_id = id + "-slice-" + number;
    out += "<figure class=\"slice\">" + writer.open("slice " + number) +
           (one.volume ? writer.image(*one.volume, ground_id) : writer.plain_ground(ground_id)) +
           writer.outline("truth line", one.reference) + writer.outline("guess line", one.prediction) +
           "</svg><figcaption>Slice " + number + " of " + decimal(picture.slices) +
           "</figcaption></figure>\n";
  }
  return out + "</div>\n";
}

}  // namespace fiducial
