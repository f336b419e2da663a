#include "fiducial/curate/study_names.h"

#include <algorithm>

namespace fiducial {

StudyNames study_names(std::string_view id, std::string_view volume_to_annotate) {
  StudyNames out;
  if (id.ends_with(".nii.gz")) {
    out.region = id;
  } else {
    const bool names_a_scan = std::count(id.begin(), id.end(), '_') == 2;
    out.region = std::string(id) + (names_a_scan ? "_1.nii.gz" : ".nii.gz");
  }
  out.grounding = volume_to_annotate.empty() ? out.region : std::string(volume_to_annotate);
  if (id.starts_with("train_")) out.split = "train";
  if (id.starts_with("valid_")) out.split = "validation";
  return out;
}

}  // namespace fiducial
