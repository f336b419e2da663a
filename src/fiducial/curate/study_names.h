#pragma once

#include <string>
#include <string_view>

namespace fiducial {

// A study as reports name it, and the volumes of it.
struct StudyNames {
  std::string grounding;  // VolumeToAnnotate where the table has it, else as below
  std::string region;     // "valid_53_a_1.nii.gz" of the scan "valid_53_a": the first reconstruction
  std::string split;      // "train", "validation"; "" where the name does not say
};

StudyNames study_names(std::string_view id, std::string_view volume_to_annotate);

}  // namespace fiducial
