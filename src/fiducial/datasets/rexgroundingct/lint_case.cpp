#include "fiducial/datasets/rexgroundingct/lint_case.h"

#include <algorithm>
#include <cmath>

#include "fiducial/base/number_text.h"
#include "fiducial/base/paths.h"
#include "fiducial/datasets/rexgroundingct/dataset.h"
#include "fiducial/datasets/rexgroundingct/lint_mask.h"
#include "fiducial/datasets/rexgroundingct/lint_rules.h"
#include "fiducial/datasets/slice_order.h"
#include "fiducial/datasets/submission.h"
#include "fiducial/datasets/volume_checks.h"
#include "fiducial/datasets/volume_file.h"
#include "fiducial/geometry/orientation.h"

namespace fiducial::rexgroundingct {

namespace {

namespace rules = lint_rules;

// Far below any oblique grid, far above rounding.
constexpr double least_relative_volume = 1e-6;

// CT-RATE's trees whose values are already in HU.
bool in_fixed_tree(const Path& path) {
  return std::any_of(path.begin(), path.end(),
                     [](const Path& part) { return part.string().ends_with("_fixed"); });
}

// Whether the header places the voxels in a patient.
bool check_geometry(const NiftiHeader& header, const std::string& file, LintProblems& out) {
  const Vec3 spacing = header.affine.spacing_mm();
  for (std::size_t i = 0; i < 3; ++i) {
    if (header.pixdim[i + 1] > 0 && spacing[i] > 0) continue;
    out.add(rules::volume_spacing, {file, ""},
            "expected positive spacing, found " + shortest(std::min(header.pixdim[i + 1], spacing[i])) +
                " mm along axis " + decimal(i));
    return false;
  }
  const double relative = std::abs(header.affine.determinant()) / (spacing[0] * spacing[1] * spacing[2]);
  if (relative > least_relative_volume) return true;
  out.add(rules::volume_singular, {file, ""},
          "expected three independent axes, found an affine with determinant " +
              shortest(header.affine.determinant()));
  return false;
}

void check_fixed_tree(const NiftiHeader& header, const std::string& file, LintProblems& out) {
  if (header.scales()) {
    out.add(rules::volume_rescaled, {file, ""},
            "expected slope 1 and intercept 0, found " + shortest(header.slope) + " and " +
                shortest(header.intercept) + ": HU would be computed twice");
  }
  if (header.type != VoxelType::int16) {
    out.add(rules::volume_type, {file, ""}, "expected int16, found " + std::string(to_string(header.type)));
  }
}

// A series is a folder; the error says which of its files is meant.
std::string unreadable_file(const Path& volume, const std::string& shown, const Error& error) {
  const Path below = Path(error.place().path).lexically_relative(volume);
  if (below.empty() || below == "." || *below.begin() == "..") return shown;
  return shown + "/" + below.generic_string();
}

// How the mask lies in the CT: the place it claims, and whether its slices are in the CT's order.
Outcome check_mask_in_volume(const VolumeToCheck& volume, const RescaleVerdict& values, const MaskLint& mask,
                             LintProblems& out) {
  FIDUCIAL_TRY(const std::optional<SliceOrderEvidence> found,
               look_at_slice_order(volume.path, values, mask.channels));
  if (!found || !found->is_reversed()) return done();
  out.add(volume_rules::mask_slice_order, {mask.file, ""},
          "expected a mask in the body, found " + percent_text(found->outside_as_is) + " of " +
              decimal(found->voxels) + " voxels on " + decimal(found->slices) +
              " slices in the air around it, and " + percent_text(found->outside_reversed) +
              " with the slices in reversed order; nothing is changed here");
  return done();
}

// The values of a CT, and how its mask lies in it. What cannot be read is a problem.
void check_voxels(const VolumeToCheck& volume, const MaskLint& mask, LintProblems& out) {
  const Result<RescaleVerdict> values = check_hounsfield(volume, out);
  Outcome outcome = values.ok() ? check_mask_in_volume(volume, *values, mask, out) : Outcome(values.error());
  if (outcome.ok()) return;
  out.add(rules::volume_unreadable, LintPlace::of(volume.file, outcome.error()), outcome.error().message());
}

// The grid of the case's CT, where its header can be trusted.
std::optional<Grid> lint_volume(const CaseSources& sources, const GroundedCase& entry, const MaskLint& mask,
                                LintProblems& out) {
  const std::optional<Extent> extent = mask.shape ? std::optional(mask.shape->extent) : entry.extent;
  const Path& volumes = *sources.volumes;
  const std::optional<Path> path = find_volume(volumes, entry.name);
  if (!path) {
    out.add(rules::volume_missing, {entry.name, ""},
            "expected the CT of a case, found no file or DICOM folder by CT-RATE's path rule");
    return std::nullopt;
  }
  VolumeToCheck volume{*path, path->lexically_relative(volumes).generic_string(), std::nullopt};
  if (sources.metadata != nullptr) volume.facts = check_metadata_row(*sources.metadata, entry.name, out);
  const std::string& file = volume.file;
  const Result<NiftiHeader> read = read_volume_header(*path);
  if (!read.ok()) {
    out.add(rules::volume_unreadable, LintPlace::of(unreadable_file(*path, file, read.error()), read.error()),
            read.error().message());
    return std::nullopt;
  }
  const NiftiHeader& header = *read;
  for (const Note& note : header.notes) out.add(rules::volume_header, {file, ""}, note.text);
  const bool series = is_folder(*path);
  if (in_fixed_tree(*path) && !series) check_fixed_tree(header, file, out);
  const bool same_extent = header.rank() == 3 && (!extent || header.extent() == *extent);
  if (!same_extent) {
    out.add(rules::volume_extent, {file, ""},
            "expected " + (extent ? extent->text() : std::string("three axes")) +
                " voxels as in its mask, found " + header.shape_text());
  }
  if (!series) check_voxels(volume, mask, out);  // a series comes rescaled, and whole
  if (!check_geometry(header, file, out)) return std::nullopt;
  check_spacing(volume, header, out);
  if (same_extent && mask.claimed) check_mask_place(mask.file, *mask.claimed, header.grid(), out);
  if (const std::string code = OrientationCode::of(header.affine).text(); code != "LPS") {
    out.add(rules::volume_orientation, {file, ""}, "expected LPS, found " + code);
  }
  return same_extent ? std::optional(header.grid()) : std::nullopt;
}

// The dataset file decides how many channels there are, the mask where it can be read how large they are.
std::optional<ChannelShape> expected_shape(const GroundedCase& entry,
                                           const std::optional<ChannelShape>& mask) {
  const std::optional<Extent> extent = mask ? std::optional(mask->extent) : entry.extent;
  if (!extent || (!entry.lists_findings && !mask)) return std::nullopt;
  const auto findings = static_cast<std::int64_t>(entry.findings.size());
  return ChannelShape{entry.lists_findings ? findings : mask->channels, *extent};
}

}  // namespace

CheckedFiles lint_case(const CaseSources& sources, const std::string& split, const LintedEntry& entry) {
  CheckedFiles out;
  MaskLint mask = lint_mask({sources.dataset, sources.dataset_file, split, &entry});
  out.problems = std::move(mask.problems);
  const std::optional<ChannelShape> shape = expected_shape(entry.entry, mask.shape);
  std::optional<Grid> volume;
  if (sources.volumes) {
    volume = lint_volume(sources, entry.entry, mask, out.problems);
  }
  if (sources.predictions != nullptr) {
    CheckedPrediction checked =
        check_prediction(*sources.predictions, {entry.entry.name, shape, volume, mask.channels});
    out.problems.append(std::move(checked.problems));
    out.submitted = std::move(checked.file);
  }
  return out;
}

}  // namespace fiducial::rexgroundingct
