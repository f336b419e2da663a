#include "fiducial/datasets/volume_checks.h"

#include <algorithm>
#include <cmath>

#include "fiducial/base/number_text.h"
#include "fiducial/geometry/orientation.h"
#include "fiducial/image/volume_slice.h"

namespace fiducial {

namespace {

constexpr std::int64_t sampled_bytes = std::int64_t{32} << 20;
constexpr std::int64_t most_slices = 16;
constexpr double spacing_tolerance = 0.01;  // of the metadata's

// Slices spread over the front of the volume: a compressed file is read no further.
std::vector<std::int64_t> sampled_slices(const NiftiHeader& header) {
  const std::int64_t slice_bytes = header.dim[1] * header.dim[2] * size_bytes(header.type);
  const std::int64_t reach = std::clamp<std::int64_t>(sampled_bytes / slice_bytes, 1, header.dim[3]);
  const std::int64_t count = std::min(reach, most_slices);
  std::vector<std::int64_t> out;
  for (std::int64_t i = 0; i < count; ++i) out.push_back(count == 1 ? 0 : i * (reach - 1) / (count - 1));
  return out;
}

std::vector<Rescale> candidates(const std::optional<StoredVolumeFacts>& facts) {
  std::vector<Rescale> out;
  if (facts && facts->intercept) out.push_back({facts->slope.value_or(1), *facts->intercept});
  out.insert(out.end(), std::begin(usual_rescales), std::end(usual_rescales));
  return out;
}

std::string signed_text(double number) { return (number < 0 ? " - " : " + ") + shortest(std::abs(number)); }

// What gives HU, as a formula.
std::string remedy(const RescaleVerdict& verdict) {
  const Rescale& rescale = verdict.rescale;
  const std::string slope = shortest(rescale.slope);
  if (verdict.state == RescaleState::never) return slope + " * value" + signed_text(rescale.intercept);
  return "(value" + signed_text(-rescale.intercept) + ") / " + slope;
}

void tell_rescale(const VolumeToCheck& volume, const NiftiHeader& header, const RescaleVerdict& verdict,
                  LintProblems& out) {
  const bool is_given = volume.facts && volume.facts->intercept == verdict.rescale.intercept;
  const std::string scaled = header.scales() ? ", with the header's slope " + shortest(header.slope) +
                                                   " and intercept " + shortest(header.intercept) + " applied"
                                             : "";
  const std::string rest = scaled + ": " + verdict.evidence() + ". HU would be " + remedy(verdict) +
                           (is_given ? ", by the rescale of the metadata" : ", by the usual rescale") +
                           "; nothing is changed here";
  switch (verdict.state) {
    case RescaleState::never:
      out.add(volume_rules::volume_hu_missing, {volume.file, ""},
              "expected HU, found values before any rescale" + rest);
      return;
    case RescaleState::twice:
      out.add(volume_rules::volume_hu_twice, {volume.file, ""},
              "expected HU, found them rescaled twice" + rest);
      return;
    case RescaleState::unrecognised:
      if (verdict.sampled > 0) {
        out.add(volume_rules::volume_hu_unrecognised, {volume.file, ""},
                "expected HU, found values that are neither HU nor HU before or after another rescale" +
                    scaled + ": " + verdict.evidence());
      }
      return;
    case RescaleState::once:
      return;
  }
}

std::string spacing_text(const Vec3& spacing) {
  return fixed(spacing[0], 4) + " x " + fixed(spacing[1], 4) + " x " + fixed(spacing[2], 4) + " mm";
}

bool near(double found, double expected) {
  return std::abs(found - expected) <= spacing_tolerance * expected;
}

}  // namespace

std::optional<VolumeMetadata> open_checked_metadata(const LintRequest& request, LintProblems& out) {
  std::optional<Path> path = request.metadata;
  if (!path) {
    const std::vector<Path> found = find_metadata_files(request.volumes, request.dataset);
    if (found.empty()) return std::nullopt;
    if (found.size() > 1) {
      out.add(volume_rules::metadata_ambiguous, {found.front().filename().string(), ""},
              "expected one *metadata*.csv, found " + decimal(found.size()) +
                  "; none is taken unless --metadata names it");
      return std::nullopt;
    }
    path = found.front();
  }
  const std::string file = path->filename().string();
  Result<VolumeMetadata> metadata = VolumeMetadata::read(*path);
  if (!metadata.ok()) {
    out.add(volume_rules::metadata_unreadable, LintPlace::of(file, metadata.error()),
            metadata.error().message());
    return std::nullopt;
  }
  for (const VolumeMetadata::Duplicate& twice : metadata->duplicates()) {
    out.add(volume_rules::metadata_duplicate, {file, "line " + decimal(twice.line)},
            "expected one row a volume, found \"" + twice.name + "\" in line " + decimal(twice.first_line) +
                " too");
  }
  return *std::move(metadata);
}

std::optional<StoredVolumeFacts> check_metadata_row(const VolumeMetadata& metadata, const std::string& volume,
                                                    LintProblems& out) {
  const auto row = metadata.find(volume);
  if (!row) {
    out.add(volume_rules::metadata_row_missing, {metadata.file_name(), ""},
            "expected a row for " + volume + ", found none");
    return std::nullopt;
  }
  StoredVolumeFacts facts = metadata.stored_facts(*row);
  for (const Note& note : facts.notes) {
    out.add(volume_rules::metadata_value,
            {metadata.file_name(), "line " + decimal(metadata.table().line(*row))},
            volume + ": " + note.text);
  }
  return facts;
}

void check_spacing(const VolumeToCheck& volume, const NiftiHeader& header, LintProblems& out) {
  if (!volume.facts || !volume.facts->spacing_mm) return;
  const Vec3 found = header.affine.spacing_mm();
  const Vec3& expected = *volume.facts->spacing_mm;
  const bool in_plane = (near(found[0], expected[0]) && near(found[1], expected[1])) ||
                        (near(found[0], expected[1]) && near(found[1], expected[0]));
  if (in_plane && near(found[2], expected[2])) return;
  out.add(volume_rules::volume_spacing_metadata, {volume.file, ""},
          "expected " + spacing_text(expected) + " as in the metadata, found " + spacing_text(found) +
              " in the header, which is what is taken");
}

Result<RescaleVerdict> check_hounsfield(const VolumeToCheck& volume, LintProblems& out) {
  FIDUCIAL_TRY(NiftiStream stream, NiftiStream::open(volume.path));
  const NiftiHeader header = stream.header();
  if (header.rank() != 3) return RescaleVerdict{};
  ValueHistogram values;
  FIDUCIAL_TRY_DONE(
      visit_volume_slices(stream, sampled_slices(header),
                          [&values](std::int64_t, std::span<const float> pixels) { values.add(pixels); }));
  const RescaleVerdict verdict = recognise_rescale(values, candidates(volume.facts));
  tell_rescale(volume, header, verdict, out);
  return verdict;
}

void check_mask_place(const std::string& mask_file, const Affine& claimed, const Grid& volume,
                      LintProblems& out) {
  const std::string of_mask = OrientationCode::of(claimed).text();
  const std::string of_volume = OrientationCode::of(volume.affine).text();
  const std::string taken = "; the CT's grid is taken all the same";
  if ((claimed.determinant() < 0) != (volume.affine.determinant() < 0)) {
    out.add(volume_rules::mask_handedness, {mask_file, ""},
            "expected the handedness of the CT (" + of_volume + ", determinant " +
                shortest(volume.affine.determinant()) + "), found the opposite (" + of_mask +
                ", determinant " + shortest(claimed.determinant()) + ")" + taken);
    return;
  }
  if (of_mask != of_volume) {
    out.add(volume_rules::mask_orientation, {mask_file, ""},
            "expected the axes of the CT, " + of_volume + ", found " + of_mask + taken);
    return;
  }
  const double distance = largest_corner_distance_mm({volume.extent, claimed}, volume);
  if (distance <= default_grid_tolerance_mm) return;
  out.add(volume_rules::mask_grid, {mask_file, ""},
          "expected the CT's affine, found one that puts a corner voxel " + fixed(distance, 3) + " mm away" +
              taken);
}

}  // namespace fiducial
