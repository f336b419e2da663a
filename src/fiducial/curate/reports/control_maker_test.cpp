#include "fiducial/curate/reports/control_maker.h"

#include <algorithm>

#include <gtest/gtest.h>

namespace fiducial {
namespace {

GroundedCase scan_of(const std::string& name, const std::string& patient,
                     const std::vector<std::string>& texts) {
  GroundedCase out{.name = name, .patient = patient, .lists_findings = true};
  for (std::size_t i = 0; i < texts.size(); ++i)
    out.findings.push_back({.index = static_cast<std::int64_t>(i), .text = texts[i]});
  return out;
}

std::vector<ControlPrompt> prompts_for(const std::vector<GroundedCase>& cases, const std::string& report,
                                       const ControlCounts& counts, std::uint64_t seed = 1) {
  DenialReader reader;
  const ReportRow row{.id = "a", .volume = {}, .texts = {{'F', "Findings_EN", report}}};
  const ReportStatements said = reader.read(row);
  std::vector<const Finding*> visible;
  for (const Finding& finding : cases.front().findings) visible.push_back(&finding);
  ControlMaker maker(counts, seed, offered_findings(cases));
  return maker.prompts_of(cases.front(), visible, &said);
}

std::vector<std::string> texts_of_kind(const std::vector<ControlPrompt>& prompts, ControlKind kind) {
  std::vector<std::string> out;
  for (const ControlPrompt& each : prompts) {
    if (each.kind == kind) out.push_back(each.text);
  }
  std::sort(out.begin(), out.end());
  return out;
}

const ControlCounts plenty{.paraphrases = 9, .denied = 9, .others = 9, .silent = 9};
const std::string effusion = "Right pleural effusion measuring up to 14 mm.";
const std::string bulla = "Bulla in the right upper lobe.";

TEST(ControlMaker, takes_of_other_patients_what_the_report_denies_and_the_rest_apart) {
  const std::vector<GroundedCase> cases{scan_of("a", "1", {"Linear atelectasis in the left lower lobe."}),
                                        scan_of("b", "2", {effusion, bulla}),
                                        scan_of("c", "1", {"Consolidation in the right lower lobe."})};
  const auto prompts = prompts_for(cases, "Pleural effusion was not detected.", plenty);
  EXPECT_EQ(texts_of_kind(prompts, ControlKind::other_patient), std::vector<std::string>{effusion});
  EXPECT_EQ(texts_of_kind(prompts, ControlKind::silent), std::vector<std::string>{bulla});
}

TEST(ControlMaker, calls_nothing_silent_that_is_denied_with_reserve) {
  const std::vector<GroundedCase> cases{scan_of("a", "1", {"Linear atelectasis in the left lower lobe."}),
                                        scan_of("b", "2", {effusion})};
  const auto prompts = prompts_for(cases, "No significant pleural effusion was detected.", plenty);
  EXPECT_TRUE(texts_of_kind(prompts, ControlKind::other_patient).empty());
  EXPECT_TRUE(texts_of_kind(prompts, ControlKind::silent).empty());
}

TEST(ControlMaker, swaps_nothing_that_the_case_may_state_too) {
  const std::string left = "Solid nodule in the left upper lobe.";
  const auto alone = prompts_for({scan_of("a", "1", {left})}, "Solid nodule in the left upper lobe.", plenty);
  EXPECT_EQ(texts_of_kind(alone, ControlKind::swapped_side),
            std::vector<std::string>{"Solid nodule in the right upper lobe."});
  const auto both = prompts_for({scan_of("a", "1", {left, "Nodule in the right upper lobe."})}, "", plenty);
  EXPECT_TRUE(texts_of_kind(both, ControlKind::swapped_side).empty());
  const auto everywhere =
      prompts_for({scan_of("a", "1", {left})}, "There are nodules in both lungs.", plenty);
  EXPECT_TRUE(texts_of_kind(everywhere, ControlKind::swapped_side).empty());
  EXPECT_TRUE(texts_of_kind(everywhere, ControlKind::swapped_lobe).empty());
}

TEST(ControlMaker, ties_changed_prompts_to_the_place_of_their_finding) {
  const auto prompts = prompts_for({scan_of("a", "1", {"Solid nodule in the left upper lobe.", bulla})},
                                   "There is no pneumothorax.", plenty);
  for (const ControlPrompt& each : prompts) {
    if (!is_changed_finding(each.kind)) continue;
    const ControlPrompt& own = prompts[static_cast<std::size_t>(each.finding)];
    ASSERT_EQ(own.kind, ControlKind::finding);
    EXPECT_EQ(each.text.find("ulla") == std::string::npos, own.text.find("ulla") == std::string::npos);
  }
}

TEST(ControlMaker, draws_the_same_by_the_same_seed_and_no_more_than_was_asked) {
  const std::vector<GroundedCase> cases{scan_of("a", "1", {"Solid nodule in the left upper lobe.", bulla}),
                                        scan_of("b", "2", {effusion})};
  const std::string report =
      "There is no pneumothorax. Pleural effusion was not detected. No pericardial effusion.";
  const ControlCounts few{.paraphrases = 1, .denied = 2, .others = 1};
  const auto first = prompts_for(cases, report, few);
  EXPECT_EQ(to_json("a", first).compact(), to_json("a", prompts_for(cases, report, few)).compact());
  EXPECT_EQ(texts_of_kind(first, ControlKind::paraphrase).size(), 2u);
  EXPECT_EQ(texts_of_kind(first, ControlKind::denied).size(), 2u);
  EXPECT_EQ(texts_of_kind(first, ControlKind::other_patient).size(), 1u);
  EXPECT_TRUE(texts_of_kind(first, ControlKind::silent).empty());
  bool differs = false;
  for (std::uint64_t seed = 2; seed < 8 && !differs; ++seed)
    differs = to_json("a", prompts_for(cases, report, few, seed)).compact() != to_json("a", first).compact();
  EXPECT_TRUE(differs);
}

}  // namespace
}  // namespace fiducial
