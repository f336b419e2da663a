#include "fiducial/synth/organ_labels.h"

#include <algorithm>

#include "fiducial/base/number_text.h"

namespace fiducial {

namespace {

void add_numbered(std::vector<OrganName>& names) {
  for (int i = 1; i <= 12; ++i) {
    const auto step = static_cast<std::uint8_t>(i - 1);
    names.push_back({static_cast<std::uint8_t>(43 - step), "vertebrae_T" + decimal(i)});
    names.push_back({static_cast<std::uint8_t>(92 + step), "rib_left_" + decimal(i)});
    names.push_back({static_cast<std::uint8_t>(104 + step), "rib_right_" + decimal(i)});
  }
}

std::vector<OrganName> make_names() {
  std::vector<OrganName> names{{1, "spleen"},
                               {5, "liver"},
                               {6, "stomach"},
                               {10, "lung_upper_lobe_left"},
                               {11, "lung_lower_lobe_left"},
                               {12, "lung_upper_lobe_right"},
                               {13, "lung_middle_lobe_right"},
                               {14, "lung_lower_lobe_right"},
                               {15, "esophagus"},
                               {16, "trachea"},
                               {51, "heart"},
                               {52, "aorta"},
                               {53, "pulmonary_vein"},
                               {54, "brachiocephalic_trunk"},
                               {56, "subclavian_artery_left"},
                               {58, "common_carotid_artery_left"},
                               {62, "superior_vena_cava"},
                               {71, "scapula_left"},
                               {72, "scapula_right"},
                               {73, "clavicula_left"},
                               {74, "clavicula_right"},
                               {79, "spinal_cord"},
                               {86, "autochthon_left"},
                               {87, "autochthon_right"},
                               {116, "sternum"},
                               {117, "costal_cartilages"}};
  add_numbered(names);
  std::sort(names.begin(), names.end(), [](const OrganName& a, const OrganName& b) { return a.id < b.id; });
  return names;
}

}  // namespace

const std::vector<OrganName>& organ_names() {
  static const std::vector<OrganName> names = make_names();
  return names;
}

}  // namespace fiducial
