#include "fiducial/datasets/controls/control_prompts.h"

#include <gtest/gtest.h>

namespace fiducial {
namespace {

constexpr const char* good_line =
    R"({"case":"a.nii.gz","prompts":[{"kind":"finding","text":"Nodule in the left lung.","category":"2d","origin":{"finding":0}},)"
    R"({"kind":"swapped_side","text":"Nodule in the right lung.","finding":0},{"kind":"denied","text":"Pneumothorax"}]})";

TEST(ControlPrompts, come_back_from_a_line_as_they_were) {
  const Result<ControlsFile> file = parse_controls(std::string(good_line) + "\n\n");
  ASSERT_TRUE(file.ok()) << file.error().text();
  const std::vector<ControlPrompt>& prompts = file->cases.at("a.nii.gz");
  ASSERT_EQ(prompts.size(), 3u);
  EXPECT_EQ(prompts[1].kind, ControlKind::swapped_side);
  EXPECT_EQ(to_json("a.nii.gz", prompts).compact(), good_line);
}

TEST(ControlPrompts, are_refused_with_line_and_place) {
  const auto error_of = [](const std::string& text) { return parse_controls(text).error().text(); };
  EXPECT_NE(error_of(std::string(good_line) + "\n" + good_line).find("line 2"), std::string::npos);
  EXPECT_NE(error_of("[]").find("line 1"), std::string::npos);
  EXPECT_NE(error_of(R"({"case":"a","prompts":[{"kind":"finding"}]})").find("/prompts/0"), std::string::npos);
  EXPECT_NE(
      error_of(R"({"case":"a","prompts":[{"kind":"paraphrase","text":"x","finding":0}]})").find("/0/finding"),
      std::string::npos);
  EXPECT_NE(error_of(R"({"case":"a","prompts":[{"kind":"paraphrase","text":"x","finding":-1}]})").find("-1"),
            std::string::npos);
}

TEST(ControlPrompts, are_held_against_what_a_model_is_shown) {
  const ControlsFile file = *parse_controls(good_line);
  GroundedCase entry{.name = "a.nii.gz"};
  for (const char* text : {"Nodule in the left lung.", "Nodule in the right lung.", "Pneumothorax"})
    entry.findings.push_back({.text = text});
  EXPECT_TRUE(hold_against(entry, &file.cases.at("a.nii.gz")).ok());
  entry.findings[2].text = "Pneumothorax.";
  EXPECT_FALSE(hold_against(entry, &file.cases.at("a.nii.gz")).ok());
  EXPECT_FALSE(hold_against(entry, nullptr).ok());
}

TEST(ControlKinds, have_names_that_lead_back) {
  for (int i = 0; i < 7; ++i) {
    const auto kind = static_cast<ControlKind>(i);
    EXPECT_EQ(find_control_kind(to_string(kind)), kind);
  }
  EXPECT_FALSE(find_control_kind("negative"));
}

}  // namespace
}  // namespace fiducial
