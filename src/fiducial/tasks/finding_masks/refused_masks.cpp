#include "fiducial/tasks/finding_masks/refused_masks.h"

#include "fiducial/base/number_text.h"
#include "fiducial/geometry/orientation.h"

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

std::optional<std::string> refused_place(const MaskFile& mask, const std::optional<Grid>& volume) {
  if (!mask.claims_place || !volume) return std::nullopt;
  const Grid claimed{volume->extent, mask.affine};
  if (same_grid(claimed, *volume)) return std::nullopt;
  return "header affine is neither the identity nor the CT's: " + OrientationCode::of(mask.affine).text() +
         " against " + OrientationCode::of(volume->affine).text() + ", a corner voxel lies " +
         fixed(largest_corner_distance_mm(claimed, *volume), 3) +
         " mm away; \"fiducial resample MASK OUT.nii.gz --like CT --labels --channels first\" moves its "
         "voxels there";
}

std::string text_without_file(const Error& error) {
  Place place = error.place();
  place.path.clear();
  return error.at(std::move(place)).text();
}

}  // namespace fiducial
