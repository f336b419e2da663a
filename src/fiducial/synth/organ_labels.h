#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace fiducial {

// The labels of TotalSegmentator's task `total`, version 2, that a chest phantom paints.
enum class Organ : std::uint8_t {
  none = 0,
  spleen = 1,
  liver = 5,
  stomach = 6,
  lung_upper_lobe_left = 10,
  lung_lower_lobe_left = 11,
  lung_upper_lobe_right = 12,
  lung_middle_lobe_right = 13,
  lung_lower_lobe_right = 14,
  esophagus = 15,
  trachea = 16,
  vertebra_t12 = 32,  // T11 .. T1 follow upwards to 43
  vertebra_t1 = 43,
  heart = 51,
  aorta = 52,
  pulmonary_vein = 53,
  brachiocephalic_trunk = 54,
  subclavian_artery_left = 56,
  common_carotid_artery_left = 58,
  superior_vena_cava = 62,
  scapula_left = 71,
  scapula_right = 72,
  clavicula_left = 73,
  clavicula_right = 74,
  spinal_cord = 79,
  autochthon_left = 86,
  autochthon_right = 87,
  rib_left_1 = 92,    // rib_left_12 is 103
  rib_right_1 = 104,  // rib_right_12 is 115
  sternum = 116,
  costal_cartilages = 117,
};

struct OrganName {
  std::uint8_t id = 0;
  std::string name;
};

// Every label a phantom may hold, ascending, with its TotalSegmentator name.
const std::vector<OrganName>& organ_names();

inline bool is_lobe(std::uint8_t label) { return label >= 10 && label <= 14; }
inline bool is_left_lobe(std::uint8_t label) { return label == 10 || label == 11; }

}  // namespace fiducial
