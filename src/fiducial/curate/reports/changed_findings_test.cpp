#include "fiducial/curate/reports/changed_findings.h"

#include <algorithm>

#include <gtest/gtest.h>

namespace fiducial {
namespace {

std::vector<std::string> texts_of(const std::vector<ChangedFinding>& changed) {
  std::vector<std::string> out;
  for (const ChangedFinding& each : changed) out.push_back(each.text);
  return out;
}

bool has_text(const std::vector<ChangedFinding>& changed, const std::string& text) {
  const std::vector<std::string> texts = texts_of(changed);
  return std::find(texts.begin(), texts.end(), text) != texts.end();
}

TEST(FindingChanger, says_a_finding_in_other_words) {
  FindingChanger changer;
  const auto changed = changer.paraphrases("Solid nodule measuring 13 mm in the left lower lobe.");
  EXPECT_TRUE(has_text(changed, "In the left lower lobe, solid nodule measuring 13 mm."))
      << testing::PrintToString(texts_of(changed));
  EXPECT_TRUE(has_text(changed, "Solid nodule measuring 13 mm in the lower lobe of the left lung."));
  EXPECT_TRUE(has_text(changed, "Solid nodule measuring 1.3 cm in the left lower lobe."));
  EXPECT_TRUE(has_text(changed, "Finding on CT: solid nodule measuring 13 mm in the left lower lobe."));
}

TEST(FindingChanger, says_the_same_of_the_same_place) {
  FindingChanger changer;
  ReportGrounder grounder;
  for (const char* text :
       {"Consolidation with air bronchograms in the right upper lobe, measuring up to 44 mm.",
        "Bilateral pleural effusion, measuring up to 23 mm on the right and 14 mm on the left.",
        "Patchy ground-glass opacities in the left lung, most extensive in the left lower lobe."}) {
    const GroundedFinding own = grounder.findings(text).front();
    const auto changed = changer.paraphrases(text);
    EXPECT_FALSE(changed.empty()) << text;
    for (const ChangedFinding& each : changed) {
      ASSERT_FALSE(each.said.empty());
      EXPECT_EQ(each.said.front().name, own.name) << each.text;
      EXPECT_EQ(each.said.front().paths, own.paths) << each.text;
    }
  }
}

TEST(FindingChanger, swaps_the_side_everywhere_and_the_lobe_alone) {
  FindingChanger changer;
  const auto swapped =
      changer.swapped("Two nodules in the right lung, the largest measuring 14 mm in the right lower lobe.");
  EXPECT_TRUE(
      has_text(swapped, "Two nodules in the left lung, the largest measuring 14 mm in the left lower lobe."))
      << testing::PrintToString(texts_of(swapped));
  const auto lobes = changer.swapped("Linear atelectasis in the left upper lobe.");
  EXPECT_TRUE(has_text(lobes, "Linear atelectasis in the left lower lobe."))
      << testing::PrintToString(texts_of(lobes));
  EXPECT_TRUE(has_text(lobes, "Linear atelectasis in the right upper lobe."));
}

TEST(FindingChanger, swaps_sides_that_only_words_tell) {
  FindingChanger changer;
  const auto swapped = changer.swapped("Right pleural effusion measuring up to 14 mm in thickness.");
  EXPECT_TRUE(has_text(swapped, "Left pleural effusion measuring up to 14 mm in thickness."))
      << testing::PrintToString(texts_of(swapped));
}

TEST(FindingChanger, asks_for_no_place_that_the_other_side_lacks) {
  FindingChanger changer;
  for (const ChangedFinding& each : changer.swapped("Consolidation in the right middle lobe."))
    EXPECT_NE(each.rule, "side") << each.text;
}

TEST(FindingChanger, keeps_parts_of_a_lobe_in_their_lobe) {
  FindingChanger changer;
  for (const char* text : {"Nodule in the apicoposterior segment of the left lung upper lobe.",
                           "Atelectasis in the lingular segment of the left upper lobe."})
    EXPECT_TRUE(changer.swapped(text).empty()) << text;
  const auto swapped = changer.swapped("Nodule in the posterior segment of the right lung upper lobe.");
  ASSERT_EQ(swapped.size(), 1u);
  EXPECT_EQ(swapped.front().rule, "side");
}

TEST(FindingChanger, leaves_findings_of_both_sides_alone) {
  FindingChanger changer;
  EXPECT_TRUE(changer.swapped("Emphysema in both lungs.").empty());
  EXPECT_TRUE(changer.swapped("Effusion on the left and on the right.").empty());
}

TEST(FindingChanger, changes_nothing_that_states_no_finding) {
  FindingChanger changer;
  EXPECT_TRUE(changer.paraphrases("No nodule in the left lung.").empty());
  EXPECT_TRUE(changer.swapped("No nodule in the left lung.").empty());
  EXPECT_TRUE(changer.paraphrases("").empty());
}

}  // namespace
}  // namespace fiducial
