#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "fiducial/geometry/extent.h"

namespace fiducial {

// Whether a finding is one place or several that can be counted, or spread without bounds.
enum class Focality { focal, non_focal };

// A sentence of a report that is tied to a place in the volume.
struct Finding {
  std::int64_t index = 0;  // channel in the case's mask file
  std::string text;
  std::string category;              // code as the dataset gives it; empty when none is given
  std::string category_title;        // in the benchmark's ontology; empty for a code that is not in it
  std::optional<Focality> focality;  // unset where the ontology does not say
  std::optional<std::int64_t> entities;
  std::optional<std::int64_t> voxels;
};

// The group of findings that no category of the benchmark's ontology holds.
inline constexpr std::string_view uncategorized = "uncategorized";

// The group a finding belongs to: its code where the ontology has it, else uncategorized.
std::string_view category_group(const Finding& finding);

// One volume with its findings. Light: text and names, no voxels.
struct GroundedCase {
  std::string name;     // file name of the volume, of its mask and of its prediction
  std::string patient;  // cases of one patient are not independent
  std::string protocol;
  std::optional<Extent> extent;
  std::vector<Finding> findings;  // by index; empty when the dataset does not list them
  bool lists_findings = false;
};

// The patient a CT-RATE style name belongs to: "train_12" for "train_12_a_1.nii.gz"; the name itself
// otherwise.
std::string patient_of(const std::string& volume_name);

}  // namespace fiducial
