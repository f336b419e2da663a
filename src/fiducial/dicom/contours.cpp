#include "fiducial/dicom/contours.h"

#include <algorithm>
#include <cmath>
#include <map>

#include "fiducial/base/number_text.h"
#include "fiducial/base/printable.h"

namespace fiducial {

namespace {

constexpr std::string_view structure_set_class = "1.2.840.10008.5.1.4.1.1.481.3";
constexpr double edge_tolerance = 1e-3;   // of a voxel: contours are written as text with few digits
constexpr double slice_tolerance = 0.25;  // of the step between slices

// One row of voxels while it is filled.
class Row {
 public:
  explicit Row(std::int64_t width) : inside_(static_cast<std::size_t>(width), 0) {}

  void fill(double from, double to) {
    const auto last = static_cast<double>(inside_.size()) - 1;
    const double begin = std::max(0.0, std::ceil(from - edge_tolerance));
    const double end = std::min(last, std::floor(to + edge_tolerance));
    if (begin > end) return;
    std::fill(inside_.begin() + static_cast<std::ptrdiff_t>(begin),
              inside_.begin() + static_cast<std::ptrdiff_t>(end) + 1, 1);
  }

  void append_runs(std::int32_t row, std::vector<MaskRun>& out) const {
    for (std::size_t x = 0; x < inside_.size();) {
      const std::size_t begin = x;
      while (x < inside_.size() && inside_[x] == inside_[begin]) ++x;
      if (inside_[begin] != 0)
        out.push_back({row, static_cast<std::int32_t>(begin), static_cast<std::int32_t>(x)});
    }
  }

 private:
  std::vector<std::uint8_t> inside_;
};

// Adds the places where an edge crosses a row, and the voxels of the row that lie on the edge.
void cross_row(const std::array<double, 2>& a, const std::array<double, 2>& b, double y,
               std::vector<double>& crossings, Row& row) {
  if (y < std::min(a[1], b[1]) - edge_tolerance || y > std::max(a[1], b[1]) + edge_tolerance) return;
  const bool lies_in_row = std::abs(a[1] - b[1]) <= edge_tolerance;
  const double share = lies_in_row ? 0 : std::clamp((y - a[1]) / (b[1] - a[1]), 0.0, 1.0);
  const double x = a[0] + share * (b[0] - a[0]);
  if ((a[1] <= y) != (b[1] <= y)) crossings.push_back(x);
  if (lies_in_row) {
    row.fill(std::min(a[0], b[0]), std::max(a[0], b[0]));
  } else if (std::abs(x - std::round(x)) <= edge_tolerance) {
    row.fill(std::round(x), std::round(x));
  }
}

}  // namespace

std::vector<MaskRun> filled_polygons(const std::vector<SlicePolygon>& polygons, const Extent& extent,
                                     std::int64_t z) {
  double low = static_cast<double>(extent.y);
  double high = -1;
  for (const SlicePolygon& polygon : polygons) {
    for (const auto& point : polygon) {
      low = std::min(low, point[1]);
      high = std::max(high, point[1]);
    }
  }
  std::vector<MaskRun> out;
  const auto first = static_cast<std::int64_t>(std::max(0.0, std::ceil(low - edge_tolerance)));
  const auto last = static_cast<std::int64_t>(
      std::min(static_cast<double>(extent.y) - 1, std::floor(high + edge_tolerance)));
  for (std::int64_t y = first; y <= last; ++y) {
    Row row(extent.x);
    std::vector<double> crossings;
    for (const SlicePolygon& polygon : polygons) {
      for (std::size_t i = 0; i < polygon.size(); ++i) {
        cross_row(polygon[i], polygon[(i + 1) % polygon.size()], static_cast<double>(y), crossings, row);
      }
    }
    std::sort(crossings.begin(), crossings.end());
    for (std::size_t i = 0; i + 1 < crossings.size(); i += 2) row.fill(crossings[i], crossings[i + 1]);
    row.append_runs(static_cast<std::int32_t>(y + extent.y * z), out);
  }
  return out;
}

namespace {

// The contours of a region, by slice.
using RegionContours = std::map<std::int64_t, std::vector<SlicePolygon>>;

class StructureSetReader {
 public:
  StructureSetReader(const DicomFile& file, const SegmentedSeries& series, const Affine& to_voxel)
      : data_(file.data), series_(series), to_voxel_(to_voxel) {}

  Result<StructureSet> read() {
    if (data_.text(0x00080018).empty())
      return invalid_data("SOP Instance UID is empty: the file has no identity");
    FIDUCIAL_TRY_DONE(read_regions());
    std::vector<RegionContours> contours(out_.segments.size());
    for (const DicomDataSet& item : data_.items(0x30060039)) {
      const auto number = item.integer_text(0x30060084);
      const auto found = number ? by_number_.find(*number) : by_number_.end();
      if (found == by_number_.end()) return invalid_data("contours of a region that is not listed");
      for (const DicomDataSet& contour : item.items(0x30060040)) {
        FIDUCIAL_TRY_DONE(read_contour(contour, found->second, contours[found->second]));
      }
    }
    for (const RegionContours& region : contours) {
      std::vector<MaskRun> runs;
      for (const auto& [z, polygons] : region) {
        const std::vector<MaskRun> more = filled_polygons(polygons, series_.grid.extent, z);
        runs.insert(runs.end(), more.begin(), more.end());
      }
      out_.masks.push_back(Mask::from_sorted_runs(series_.grid, std::move(runs)));
    }
    if (passed_over_ > 0) {
      out_.notes.push_back({"contours_passed_over",
                            decimal(passed_over_) + " contours enclose nothing (points and open lines) and "
                                                    "are passed over"});
    }
    return std::move(out_);
  }

 private:
  Outcome read_regions() {
    const std::string frame = series_.first.text(0x00200052);
    for (const DicomDataSet& item : data_.items(0x30060020)) {
      const auto number = item.integer_text(0x30060022);
      if (!number) return invalid_data("a region without a number");
      const std::string lies_in = item.text(0x30060024);
      const std::string name = item.text(0x30060026);
      if (lies_in != frame) {
        return invalid_data("region \"" + printable(name) + "\" was drawn in frame of reference " +
                            (lies_in.empty() ? "none" : printable(lies_in)) + ", the series lies in " +
                            frame + ": contours of another examination");
      }
      if (!by_number_.emplace(*number, out_.segments.size()).second) {
        return invalid_data("two regions have the number " + decimal(*number));
      }
      SegmentEntry segment;
      segment.name = name.empty() ? "region " + decimal(*number) : name;
      segment.label = static_cast<std::int32_t>(out_.segments.size() + 1);
      out_.segments.push_back(std::move(segment));
    }
    if (out_.segments.empty()) return invalid_data("a structure set without a region");
    return done();
  }

  Outcome read_contour(const DicomDataSet& contour, std::size_t region, RegionContours& out) {
    const std::string kind = contour.text(0x30060042);
    if (!kind.starts_with("CLOSED_PLANAR") && kind != "CLOSEDPLANAR_XOR") {
      ++passed_over_;
      return done();
    }
    const std::size_t count = contour.texts(0x30060050).size();
    if (count % 3 != 0 || count == 0) return invalid_data("a contour with a broken number of coordinates");
    FIDUCIAL_TRY(const auto numbers, contour.numbers(0x30060050, count));
    SlicePolygon polygon;
    double height = 0;
    for (std::size_t i = 0; i < count; i += 3) {
      const Vec3 voxel = to_voxel_.apply({-numbers[i], -numbers[i + 1], numbers[i + 2]});
      if (i == 0) height = voxel[2];
      if (std::abs(voxel[2] - height) > slice_tolerance) {
        return invalid_data("a contour of \"" + printable(out_.segments[region].name) +
                            "\" does not lie in the plane of the slices");
      }
      polygon.push_back({voxel[0], voxel[1]});
    }
    const double z = std::round(height);
    if (std::abs(height - z) > slice_tolerance || z < 0 || z >= static_cast<double>(series_.grid.extent.z)) {
      return invalid_data("a contour of \"" + printable(out_.segments[region].name) + "\" lies at slice " +
                          fixed(height, 2) + " of the series, which has " + decimal(series_.grid.extent.z) +
                          ": between its slices or outside of them");
    }
    out[static_cast<std::int64_t>(z)].push_back(std::move(polygon));
    return done();
  }

  const DicomDataSet& data_;
  const SegmentedSeries& series_;
  Affine to_voxel_;
  StructureSet out_;
  std::map<std::int64_t, std::size_t> by_number_;
  std::size_t passed_over_ = 0;
};

}  // namespace

bool is_structure_set(const DicomDataSet& data) { return data.text(0x00080016) == structure_set_class; }

Result<StructureSet> read_structure_set(const DicomFile& file, const SegmentedSeries& series) {
  const std::optional<Affine> to_voxel = inverse(series.grid.affine);
  if (!to_voxel) return invalid_data("the grid of the series is singular");
  return StructureSetReader(file, series, *to_voxel).read();
}

}  // namespace fiducial
