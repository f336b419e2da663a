#include "fiducial/synth/organ_labels.h"

#include <map>

#include <gtest/gtest.h>

namespace fiducial {
namespace {

std::map<int, std::string> by_id() {
  std::map<int, std::string> names;
  for (const OrganName& organ : organ_names()) names[organ.id] = organ.name;
  return names;
}

TEST(OrganLabels, are_ascending_and_unique) {
  const auto& names = organ_names();
  for (std::size_t i = 1; i < names.size(); ++i) EXPECT_LT(names[i - 1].id, names[i].id);
}

TEST(OrganLabels, carry_the_names_of_totalsegmentator) {
  const auto names = by_id();
  EXPECT_EQ(names.at(10), "lung_upper_lobe_left");
  EXPECT_EQ(names.at(14), "lung_lower_lobe_right");
  EXPECT_EQ(names.at(32), "vertebrae_T12");
  EXPECT_EQ(names.at(43), "vertebrae_T1");
  EXPECT_EQ(names.at(92), "rib_left_1");
  EXPECT_EQ(names.at(115), "rib_right_12");
  EXPECT_EQ(names.at(116), "sternum");
}

}  // namespace
}  // namespace fiducial
