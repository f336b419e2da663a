#include "fiducial/dicom/series_grid.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "fiducial/base/number_text.h"
#include "fiducial/dicom/directions.h"

namespace fiducial {

namespace {

// Text of decimal strings is rounded; 1e-4 moves the far corner of a 500 mm slice by 0.05 mm.
constexpr double direction_tolerance = 1e-4;
constexpr double spacing_tolerance = 1e-4;   // relative
constexpr double place_tolerance_mm = 1e-3;  // nearer slices lie at one place
constexpr double uneven_noted = 0.01;        // of a step
constexpr double uneven_refused = 0.1;       // of a step
constexpr double gap_factor = 1.5;           // of the usual step
constexpr double tilt_noted_degrees = 0.05;

double length(const Vec3& a) { return std::sqrt(dot(a, a)); }

std::string text(const Vec3& v) {
  return "(" + shortest(v[0]) + ", " + shortest(v[1]) + ", " + shortest(v[2]) + ")";
}

std::string mm(double value) {
  std::string out = fixed(value, 4);
  while (out.back() == '0') out.pop_back();
  if (out.back() == '.') out.pop_back();
  return out + " mm";
}

bool near(const Vec3& a, const Vec3& b) { return length(minus(a, b)) <= direction_tolerance; }

bool near(double a, double b) { return std::abs(a - b) <= spacing_tolerance * std::max(a, b); }

class GridMaker {
 public:
  GridMaker(std::span<const SliceHeader> slices, std::span<const std::string> files)
      : slices_(slices), files_(files), normal_(cross(slices[0].row_direction, slices[0].column_direction)) {}

  Result<SeriesGrid> made() {
    for (const SliceHeader& slice : slices_) FIDUCIAL_TRY_DONE(check_alike(slice));
    sort();
    FIDUCIAL_TRY_DONE(check_steps());
    FIDUCIAL_TRY(const Vec3 step, step_between_slices());
    out_.grid = {{slices_[0].columns, slices_[0].rows, static_cast<std::int64_t>(slices_.size())},
                 affine(step)};
    return std::move(out_);
  }

 private:
  std::string name(const SliceHeader& slice) const {
    const std::string& file = files_[slice.file];
    return slice.frames == 1 ? file : file + ", frame " + decimal(slice.frame + 1);
  }
  // Another file of the same folder, in messages.
  std::string beside(const SliceHeader& slice) const {
    const std::string full = name(slice);
    return full.substr(full.rfind('/') + 1);
  }
  Error error(const SliceHeader& slice, std::string message) const {
    return {ErrorCode::invalid_data, std::move(message), Place{.path = name(slice)}};
  }
  const SliceHeader& at(std::size_t z) const { return slices_[out_.order[z]]; }
  double height(const SliceHeader& slice) const { return dot(slice.position_mm, normal_); }

  // Holds a slice against the first one.
  Outcome check_alike(const SliceHeader& slice) const {
    const SliceHeader& first = slices_[0];
    const std::string as_first = " as in " + beside(first) + ", found ";
    if (slice.frame_of_reference != first.frame_of_reference) {
      return error(slice, "mixed frames of reference: expected " + first.frame_of_reference + as_first +
                              slice.frame_of_reference);
    }
    if (slice.columns != first.columns || slice.rows != first.rows) {
      return error(slice,
                   "mixed sizes: expected " + size_text(first) + " voxels" + as_first + size_text(slice));
    }
    if (!near(slice.row_direction, first.row_direction) ||
        !near(slice.column_direction, first.column_direction)) {
      return error(slice, "mixed orientation: expected rows along " + text(first.row_direction) +
                              " and columns along " + text(first.column_direction) + as_first +
                              text(slice.row_direction) + " and " + text(slice.column_direction));
    }
    if (!near(slice.row_spacing_mm, first.row_spacing_mm) ||
        !near(slice.column_spacing_mm, first.column_spacing_mm)) {
      return error(slice,
                   "mixed pixel spacing: expected " + spacing_text(first) + as_first + spacing_text(slice));
    }
    return done();
  }

  static std::string size_text(const SliceHeader& slice) {
    return decimal(slice.columns) + " x " + decimal(slice.rows);
  }
  static std::string spacing_text(const SliceHeader& slice) {
    return shortest(slice.column_spacing_mm) + " x " + shortest(slice.row_spacing_mm) + " mm";
  }

  void sort() {
    out_.order.resize(slices_.size());
    std::iota(out_.order.begin(), out_.order.end(), std::size_t{0});
    std::stable_sort(out_.order.begin(), out_.order.end(), [this](std::size_t a, std::size_t b) {
      return height(slices_[a]) < height(slices_[b]);
    });
  }

  // No two slices at one place, none missing between two.
  Outcome check_steps() const {
    if (slices_.size() < 2) return done();
    std::vector<double> steps;
    for (std::size_t z = 1; z < slices_.size(); ++z) {
      steps.push_back(height(at(z)) - height(at(z - 1)));
      if (steps.back() > place_tolerance_mm) continue;
      return error(at(z), "duplicate slice position: expected one slice at " + text(at(z).position_mm) +
                              " mm, found also " + beside(at(z - 1)));
    }
    std::vector<double> sorted = steps;
    const auto middle = sorted.begin() + static_cast<std::ptrdiff_t>((sorted.size() - 1) / 2);
    std::nth_element(sorted.begin(), middle, sorted.end());
    for (std::size_t z = 1; z < slices_.size(); ++z) {
      if (steps[z - 1] > gap_factor * *middle) return gap_error(z, steps[z - 1], *middle);
    }
    return done();
  }

  Error gap_error(std::size_t z, double found, double usual) const {
    const double missing = std::round(found / usual) - 1;
    const Vec3 step = scaled(minus(at(z).position_mm, at(z - 1).position_mm), usual / found);
    const Vec3 next = at(z - 1).position_mm;
    return error(at(z), "missing slice: expected the next slice at " +
                            text({next[0] + step[0], next[1] + step[1], next[2] + step[2]}) + ", " +
                            mm(usual) + " after " + beside(at(z - 1)) + ", found " + mm(found) +
                            " between them (" + fixed(missing, 0) + " missing)");
  }

  Result<Vec3> step_between_slices() {
    const SliceHeader& first = at(0);
    if (slices_.size() == 1) {
      if (first.stated_step_mm <= 0) {
        return error(first,
                     "one slice without SpacingBetweenSlices or SliceThickness: its extent is not known");
      }
      out_.notes.push_back({"dicom_one_slice", "one slice; its thickness of " + mm(first.stated_step_mm) +
                                                   " is as stated in the header"});
      return scaled(normal_, first.stated_step_mm);
    }
    const auto intervals = static_cast<double>(slices_.size() - 1);
    const Vec3 step = scaled(minus(at(slices_.size() - 1).position_mm, first.position_mm), 1 / intervals);
    FIDUCIAL_TRY_DONE(check_even(step));
    note_tilt(step);
    return step;
  }

  // Every slice lies where equal steps put it.
  Outcome check_even(const Vec3& step) {
    const double step_mm = dot(step, normal_);
    double largest = 0;
    for (std::size_t z = 0; z < slices_.size(); ++z) {
      const Vec3 expected = scaled(step, static_cast<double>(z));
      const Vec3 moved = minus(at(z).position_mm, at(0).position_mm);
      const double off = length(minus(moved, expected));
      largest = std::max(largest, off);
      if (off <= std::max(uneven_refused * step_mm, place_tolerance_mm)) continue;
      return error(at(z), "unevenly spaced: with equal steps of " + text(step) + " mm slice " +
                              decimal(z + 1) + " of " + decimal(slices_.size()) + " lies " + mm(off) +
                              " from its place");
    }
    if (largest > std::max(uneven_noted * step_mm, place_tolerance_mm)) {
      out_.notes.push_back(
          {"dicom_uneven_slices", "slices lie up to " + mm(largest) + " from equal steps of " + mm(step_mm)});
    }
    return done();
  }

  void note_tilt(const Vec3& step) {
    const double cosine = std::clamp(dot(step, normal_) / length(step), -1.0, 1.0);
    const double degrees = std::acos(cosine) * 180 / 3.14159265358979323846;
    if (degrees < tilt_noted_degrees) return;
    out_.notes.push_back(
        {"dicom_tilted", "slices are stacked " + fixed(degrees, 2) +
                             " degrees off their normal (tilted gantry): the affine is sheared"});
  }

  // DICOM's x and y grow towards left and back, NIfTI's towards right and front.
  Affine affine(const Vec3& step) const {
    const SliceHeader& first = at(0);
    const Vec3 columns[] = {scaled(first.row_direction, first.column_spacing_mm),
                            scaled(first.column_direction, first.row_spacing_mm), step, first.position_mm};
    Affine out;
    for (std::size_t column = 0; column < 4; ++column) {
      for (std::size_t row = 0; row < 3; ++row) {
        // Adding zero turns -0 into 0.
        out.m[row][column] = (row < 2 ? -columns[column][row] : columns[column][row]) + 0.0;
      }
    }
    return out;
  }

  std::span<const SliceHeader> slices_;
  std::span<const std::string> files_;
  Vec3 normal_;
  SeriesGrid out_;
};

}  // namespace

Result<SeriesGrid> make_series_grid(std::span<const SliceHeader> slices, std::span<const std::string> files) {
  FIDUCIAL_ASSERT(!slices.empty());
  return GridMaker(slices, files).made();
}

}  // namespace fiducial
