#include "fiducial/curate/reports/study_names.h"

#include <algorithm>

#include "fiducial/base/ascii.h"
#include "fiducial/base/number_text.h"
#include "fiducial/datasets/rexgroundingct/dataset.h"

namespace fiducial {

namespace {

std::string reconstruction_of(std::string_view scan, const std::optional<Path>& volumes) {
  constexpr int most = 20;
  for (int number = 1; volumes && number <= most; ++number) {
    std::string name = std::string(scan) + "_" + decimal(number) + ".nii.gz";
    if (rexgroundingct::find_volume(*volumes, name)) return name;
  }
  return std::string(scan) + "_1.nii.gz";
}

}  // namespace

StudyNames study_names(std::string_view id, std::string_view volume_to_annotate,
                       const std::optional<Path>& volumes) {
  StudyNames out;
  // "valid_53_a" is a scan; "valid_53_a_1" and "p1_a_1" are volumes, whose names end in a number.
  const bool names_a_scan =
      !id.ends_with(".nii.gz") && std::count(id.begin(), id.end(), '_') == 2 && is_letter(id.back());
  if (names_a_scan) {
    out.region = reconstruction_of(id, volumes);
  } else {
    out.region = std::string(id) + (id.ends_with(".nii.gz") ? "" : ".nii.gz");
  }
  out.grounding = volume_to_annotate.empty() ? out.region : std::string(volume_to_annotate);
  if (id.starts_with("train_")) out.split = "train";
  if (id.starts_with("valid_")) out.split = "validation";
  return out;
}

}  // namespace fiducial
