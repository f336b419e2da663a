#pragma once

#include <optional>
#include <string>

#include "fiducial/datasets/lint_report.h"
#include "fiducial/datasets/volume_metadata.h"
#include "fiducial/geometry/grid.h"
#include "fiducial/image/nifti_header.h"
#include "fiducial/image/rescale_state.h"

namespace fiducial {

namespace volume_rules {
#define FIDUCIAL_LINT_RULE(code, severity, promise) \
  inline constexpr LintRule code{#code, Severity::severity, promise};
#include "fiducial/datasets/volume_rules.def"
#undef FIDUCIAL_LINT_RULE
}  // namespace volume_rules

// The metadata that a check is to use: the file it names, or the only one there is. What is wrong with it is
// a problem; a named file that cannot be read is one too.
std::optional<VolumeMetadata> open_checked_metadata(const LintRequest& request, LintProblems& out);

// What the metadata says of a volume; that it has no row, or values that make no sense, is a problem.
std::optional<StoredVolumeFacts> check_metadata_row(const VolumeMetadata& metadata, const std::string& volume,
                                                    LintProblems& out);

// The file of a volume as it was found, and what its metadata says.
struct VolumeToCheck {
  Path path;
  std::string file;  // relative to the folder of volumes
  std::optional<StoredVolumeFacts> facts;
};

// The header's spacing against the metadata's: more than 1 % apart is a problem.
void check_spacing(const VolumeToCheck& volume, const NiftiHeader& header, LintProblems& out);

// How often the rescale was applied, from up to 16 slices spread over the first 32 MiB of voxels. The
// metadata's rescale is tried before the usual ones. Problems say what would mend the values; nothing is
// changed. Fails where the voxels cannot be read.
Result<RescaleVerdict> check_hounsfield(const VolumeToCheck& volume, LintProblems& out);

// A mask that claims a place of its own against the CT's: handedness, axes, then the place itself.
void check_mask_place(const std::string& mask_file, const Affine& claimed, const Grid& volume,
                      LintProblems& out);

}  // namespace fiducial
