#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "fiducial/base/file.h"

namespace fiducial {

// A study as reports name it, and the volumes of it.
struct StudyNames {
  std::string grounding;  // VolumeToAnnotate where the table has it, else as below
  std::string region;     // "valid_53_a_1.nii.gz" of the scan "valid_53_a": the first reconstruction there is
  std::string split;      // "train", "validation"; "" where the name does not say
};

// Without a folder of volumes the first reconstruction is number 1.
StudyNames study_names(std::string_view id, std::string_view volume_to_annotate,
                       const std::optional<Path>& volumes);

}  // namespace fiducial
