#include "fiducial/curate/reports/report_denials.h"

#include <gtest/gtest.h>

namespace fiducial {
namespace {

std::vector<std::string> denied_in(const std::string& findings, const std::string& impressions = "") {
  DenialReader reader;
  const ReportRow row{.id = "a",
                      .volume = {},
                      .texts = {{'F', "Findings_EN", findings}, {'I', "Impressions_EN", impressions}}};
  std::vector<std::string> out;
  for (const ReportDenial& denial : reader.read(row).denials) out.push_back(denial.prompt);
  return out;
}

using Prompts = std::vector<std::string>;

TEST(DenialReader, takes_what_is_denied_without_reserve) {
  EXPECT_EQ(denied_in("Pleural effusion was not detected. There is no pneumothorax."),
            (Prompts{"Pleural effusion", "Pneumothorax"}));
  EXPECT_EQ(denied_in("No nodule or mass was detected in either lung."),
            (Prompts{"Pulmonary nodule", "Lung mass"}));
}

TEST(DenialReader, leaves_out_what_is_denied_in_part) {
  EXPECT_EQ(denied_in("No significant pleural effusion is seen."), Prompts{});
  EXPECT_EQ(denied_in("No new nodule was detected."), Prompts{});
  EXPECT_EQ(denied_in("No nodule larger than 5 mm was detected in the lungs."), Prompts{});
  EXPECT_EQ(denied_in("No consolidation was seen except for the left lower lobe."), Prompts{});
}

TEST(DenialReader, asks_for_nothing_of_a_family_that_is_spoken_of) {
  EXPECT_EQ(denied_in("No mass was detected in the lungs. There is a 4 mm nodule in the left lung."),
            Prompts{});
  EXPECT_EQ(
      denied_in("No consolidation was detected in the lungs.", "Ground-glass opacities in the left lung."),
      Prompts{});
  EXPECT_EQ(denied_in("There is no pneumothorax. Pneumothorax?"), Prompts{});
}

TEST(DenialReader, says_where_the_report_denies_it) {
  DenialReader reader;
  const std::string text = "Heart size is normal. There is no pneumothorax.";
  const ReportRow row{.id = "a", .volume = {}, .texts = {{'F', "Findings_EN", text}}};
  const std::vector<ReportDenial> denials = reader.read(row).denials;
  ASSERT_EQ(denials.size(), 1u);
  const Json& source = denials.front().source;
  const auto begin = static_cast<std::size_t>(*source.find("begin")->as_integer());
  const auto end = static_cast<std::size_t>(*source.find("end")->as_integer());
  EXPECT_EQ(text.substr(begin, end - begin), "pneumothorax");
  EXPECT_EQ(*source.find("sentence")->as_string(), "F1");
}

TEST(SpokenFinding, may_be_another_unless_place_or_side_exclude_it) {
  const SpokenFinding left{"pleural fluid", {"pleura/pleura"}, true, false};
  const SpokenFinding right{"pleural fluid", {"pleura/pleura"}, false, true};
  const SpokenFinding somewhere{"pleural fluid", {}};
  EXPECT_FALSE(left.may_be(right));
  EXPECT_TRUE(left.may_be(left));
  EXPECT_TRUE(left.may_be(somewhere));
  EXPECT_FALSE(left.may_be({"nodule", {"pleura/pleura"}, true, false}));
  const SpokenFinding upper{"nodule", {"lung/lung/left lung/left lung upper lobe"}, true, false};
  EXPECT_FALSE(upper.may_be({"nodule", {"lung/lung/left lung/left lung lower lobe"}, true, false}));
  EXPECT_TRUE(upper.may_be({"nodule", {"lung/lung"}}));
}

TEST(ReportDenial, covers_places_that_lie_in_its_own) {
  const ReportDenial denial{.finding = "nodule", .paths = {"lung/lung/left lung"}};
  EXPECT_TRUE(denial.covers({"lung/lung/left lung/left lung upper lobe"}));
  EXPECT_FALSE(denial.covers({"lung/lung"}));
  EXPECT_FALSE(denial.covers({"lung/lung/left lung", "lung/lung/right lung"}));
  EXPECT_FALSE(denial.covers({}));
}

}  // namespace
}  // namespace fiducial
