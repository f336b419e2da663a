#include "fiducial/datasets/submission.h"

#include "fiducial/base/number_text.h"

namespace fiducial {

namespace {

namespace rules = submission_rules;

std::string range_text(const LabelValueFacts& values) {
  return decimal(values.least) + " to " + decimal(values.greatest);
}

// Fractions are told as a share of the voxels that are not zero.
std::string percent(std::int64_t part, std::int64_t whole) {
  return fixed(100.0 * static_cast<double>(part) / static_cast<double>(whole), 2) + " %";
}

void check_shape(const MaskFile& mask, const ExpectedPrediction& expected, LintFindings& out) {
  if (mask.shape_error) {
    out.add(rules::prediction_shape, {expected.name, ""}, mask.shape_error->message());
  } else if (mask.rank != 4) {
    out.add(rules::prediction_shape, {expected.name, ""},
            "expected 4 axes (F,H,W,D), found an array of shape " + mask.shape.extent.text());
  }
}

void check_values(const MaskFile& mask, const std::string& name, LintFindings& out) {
  const LabelValueFacts& values = mask.values;
  if (values.not_finite > 0) {
    out.add(rules::prediction_not_finite, {name, ""},
            "expected whole numbers, found " + decimal(values.not_finite) + " voxels that are NaN or infinite");
    return;
  }
  if (values.fractional > 0) {
    out.add(rules::prediction_probabilities, {name, ""},
            "expected a mask, found probabilities: " + percent(values.fractional, values.foreground) +
                " of the non-zero voxels are no whole numbers");
    return;
  }
  if (!is_integer(mask.type)) {
    out.add(rules::prediction_type, {name, ""},
            "expected an integer type, found " + std::string(to_string(mask.type)) + " with whole numbers only");
  }
  if (values.least < 0 || values.greatest > 255) {
    out.add(rules::prediction_values_wrap, {name, ""},
            "expected values in 0..255, found " + range_text(values) + "; the published scorer wraps them to 8 bits");
  }
  for (std::size_t i = 0; i < mask.channels.size(); ++i) {
    if (!mask.channels[i].empty()) continue;
    out.add(rules::prediction_channel_empty, LintPlace::channel(name, static_cast<std::int64_t>(i)),
            "expected foreground, found none");
  }
}

void check_place(const MaskFile& mask, const ExpectedPrediction& expected, LintFindings& out) {
  if (!mask.claims_place || mask.shape_error) return;
  const std::string code = OrientationCode::of(mask.affine).text();
  if (!expected.volume || expected.volume->extent != mask.shape.extent) {
    out.add(rules::prediction_place_unchecked, {expected.name, ""},
            "the header claims " + code + "; without the CT it is not known whether that is right");
    return;
  }
  const Grid claimed{mask.shape.extent, mask.affine};
  if (same_grid(claimed, *expected.volume)) return;
  out.add(rules::prediction_place, {expected.name, ""},
          "expected the identity or the CT's affine (" + OrientationCode::of(expected.volume->affine).text() +
              "), found " + code + " with a corner voxel " +
              fixed(largest_corner_distance_mm(claimed, *expected.volume), 3) + " mm away");
}

}  // namespace

bool starts_as_gzip(Result<StoredFile> file) {
  if (!file.ok()) return false;
  std::byte start[2] = {};
  const Result<std::size_t> got = file->bytes->read(start);
  return got.ok() && *got == 2 && start[0] == std::byte{0x1f} && start[1] == std::byte{0x8b};
}

CheckedPrediction check_prediction(const PredictionFiles& files, const ExpectedPrediction& expected) {
  CheckedPrediction out;
  const std::string& name = expected.name;
  if (!files.has(name)) {
    out.findings.add(rules::prediction_missing, {name, ""}, "expected a file of this name, found none");
    return out;
  }
  Result<StoredFile> stored = files.open_file(name);
  if (!stored.ok()) {
    out.file = SubmittedFile{.name = name};
    out.findings.add(rules::prediction_unreadable, LintPlace::of(name, stored.error()),
                     stored.error().message());
    return out;
  }
  out.file = SubmittedFile{.name = name, .bytes = stored->size};
  const MaskRead read = read_mask_file(*std::move(stored), expected.shape);
  out.file->digest = read.digest;
  if (!read.mask.ok()) {
    const bool is_shape = read.mask.error().message().find("found an array of shape") != std::string::npos;
    out.findings.add(is_shape ? rules::prediction_shape : rules::prediction_unreadable,
                     LintPlace::of(name, read.mask.error()), read.mask.error().message());
    return out;
  }
  const MaskFile& mask = *read.mask;
  if (name.ends_with(".gz") && !starts_as_gzip(files.open_file(name))) {
    out.findings.add(rules::prediction_not_gzip, {name, "byte 0"},
                     "expected gzip data as the name says, found an uncompressed file");
  }
  check_shape(mask, expected, out.findings);
  check_values(mask, name, out.findings);
  check_place(mask, expected, out.findings);
  out.findings.add_notes(rules::prediction_header, name, mask.notes);
  return out;
}

LintFindings check_extra_files(const PredictionFiles& files, const std::set<std::string>& names) {
  LintFindings out;
  for (const std::string& name : files.names()) {
    if (names.contains(name)) continue;
    out.add(rules::prediction_extra, {name, ""}, "expected only files of the split's cases");
  }
  return out;
}

}  // namespace fiducial
