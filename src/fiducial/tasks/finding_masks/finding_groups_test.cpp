#include "fiducial/tasks/finding_masks/finding_groups.h"

#include <gtest/gtest.h>

namespace fiducial {
namespace {

using Labels = std::vector<std::string>;

// The labels of one kind of group, in their order, each with its number of findings.
Labels labels(const std::string& kind, const CaseScore& scored) {
  Labels out;
  for (const GroupKind& each : finding_groups({scored})) {
    if (each.kind != kind) continue;
    for (const LabelledUnits& group : each.groups)
      out.push_back(group.label + ":" + std::string(group.members.size(), '*'));
  }
  return out;
}

CaseScore with_categories(const Labels& categories) {
  CaseScore out;
  for (const std::string& category : categories)
    out.findings.push_back({.category = category, .category_group = category, .focality = category});
  return out;
}

TEST(FindingGroups, are_by_category_with_the_unknown_ones_last) {
  EXPECT_EQ(labels("category", with_categories({"uncategorized", "2d", "1a", "2d"})),
            (Labels{"1a:*", "2d:**", "uncategorized:*"}));
}

TEST(FindingGroups, are_by_focality) {
  EXPECT_EQ(labels("focality", with_categories({"uncategorized", "non_focal", "focal", "focal"})),
            (Labels{"focal:**", "non_focal:*", "uncategorized:*"}));
}

TEST(FindingGroups, are_by_size_in_powers_of_ten) {
  CaseScore scored;
  for (const std::int64_t voxels :
       {0, 1, 99, 100, 999, 1000, 99'999, 100'000, 999'999, 1'000'000, 7'000'000}) {
    scored.findings.push_back({.reference_voxels = voxels});
  }
  EXPECT_EQ(labels("size_voxels", scored), (Labels{"0:*", "1-99:**", "100-999:**", "1000-9999:*",
                                                   "10000-99999:*", "100000-999999:**", "1000000+:**"}));
}

TEST(FindingGroups, are_by_the_number_of_entities) {
  CaseScore scored;
  for (const std::int64_t entities : {0, 1, 3, 3, 4, 36}) {
    scored.findings.push_back({.reference_entities = entities});
  }
  EXPECT_EQ(labels("entities", scored), (Labels{"0:*", "1:*", "3:**", ">3:**"}));
}

TEST(FindingGroups, are_by_protocol) {
  CaseScore scored = with_categories({"2d"});
  EXPECT_EQ(labels("protocol", scored), Labels{"unspecified:*"});
  scored.protocol = "protocol2";
  EXPECT_EQ(labels("protocol", scored), Labels{"protocol2:*"});
}

}  // namespace
}  // namespace fiducial
