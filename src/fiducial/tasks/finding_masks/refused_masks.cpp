#include "fiducial/tasks/finding_masks/refused_masks.h"

#include "fiducial/base/number_text.h"

namespace fiducial {

namespace {

std::string percent(std::int64_t part, std::int64_t whole) {
  return fixed(100.0 * static_cast<double>(part) / static_cast<double>(whole), 2) + " %";
}

}  // namespace

std::optional<std::string> refused_values(const LabelValueFacts& values) {
  if (values.not_finite > 0)
    return decimal(values.not_finite) + " voxels are NaN or infinite; expected integers";
  if (values.fractional > 0) {
    return "values are not integers (" + percent(values.fractional, values.foreground) +
           " of the non-zero voxels); expected a mask, found probabilities";
  }
  return std::nullopt;
}

std::string text_without_file(const Error& error) {
  Place place = error.place();
  place.path.clear();
  return error.at(std::move(place)).text();
}

}  // namespace fiducial
