#include "fiducial/eval/finding_groups.h"

#include <gtest/gtest.h>

namespace fiducial {
namespace {

using Labels = std::vector<std::string>;

// The labels of one kind of group, in their order, each with its number of findings.
Labels labels(const std::string& kind, const CaseScore& scored) {
  std::vector<FindingInCase> views;
  for (const FindingScore& finding : scored.findings) views.push_back({&scored, &finding, 0});
  Labels out;
  for (const auto& [name, groups] : grouped(views)) {
    if (name != kind) continue;
    for (const FindingGroup& group : groups)
      out.push_back(group.label + ":" + std::string(group.findings.size(), '*'));
  }
  return out;
}

CaseScore with_categories(const Labels& categories) {
  CaseScore out;
  for (const std::string& category : categories) out.findings.push_back({.category = category});
  return out;
}

TEST(FindingGroups, are_by_category_with_the_unknown_ones_last) {
  EXPECT_EQ(labels("category", with_categories({"9z", "2d", "1a", "", "2d"})),
            (Labels{"1a:*", "2d:**", "uncategorized:**"}));
}

TEST(FindingGroups, are_by_focality) {
  EXPECT_EQ(labels("focality", with_categories({"1f", "2h", "2a", "3a"})),
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

TEST(FindingGroups, are_by_columns_of_the_metadata_with_the_unknown_last) {
  std::vector<CaseScore> cases;
  for (const char* age : {"069Y", "", "009Y", "101Y", "061Y"}) {
    const GroupColumn column{.column = "PatientAge", .kind = GroupColumn::Kind::decades};
    cases.push_back(with_categories({"2d"}));
    cases.back().groups = {column.label(*age == 0 ? std::nullopt : std::optional<std::string>(age))};
  }
  std::vector<FindingInCase> views;
  for (const CaseScore& scored : cases) views.push_back({&scored, &scored.findings[0], 0});
  const auto kinds = grouped(views);
  ASSERT_EQ(kinds.back().first, "PatientAge");
  Labels found;
  for (const FindingGroup& group : kinds.back().second) found.push_back(group.label);
  EXPECT_EQ(found, (Labels{"0-9", "60-69", "100-109", "unknown"}));
}

}  // namespace
}  // namespace fiducial
