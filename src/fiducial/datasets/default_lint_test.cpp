#include "fiducial/datasets/default_lint.h"

#include <gtest/gtest.h>

#include "fiducial/datasets/check_dataset.h"
#include "fiducial/datasets/rexgroundingct/dataset.h"
#include "fiducial/datasets/rexgroundingct/lint_example.h"

namespace fiducial {
namespace {

using rexgroundingct::LintExample;

// A layout without rules of its own.
DatasetAdapter plain_adapter() {
  return {.id = "plain", .open_grounded = [](const Path& folder) -> Result<std::unique_ptr<GroundedDataset>> {
            FIDUCIAL_TRY(rexgroundingct::Dataset dataset, rexgroundingct::Dataset::open(folder));
            return {std::make_unique<rexgroundingct::Dataset>(std::move(dataset))};
          }};
}

std::vector<std::string> problems_of(const LintExample& example) {
  SilentProgress progress;
  [[maybe_unused]] const Result<LintReport> own = example.lint();  // writes the dataset file
  const Result<LintReport> report = default_lint(plain_adapter(), example.request, Executor(2), progress);
  if (!report.ok()) return {"failed: " + report.error().text()};
  EXPECT_EQ(report->benchmark, "plain");
  std::vector<std::string> out;
  for (const LintProblem& problem : report->problems.all()) out.push_back(problem.code + " " + problem.file);
  return out;
}

using Problems = std::vector<std::string>;

TEST(DefaultLint, finds_nothing_in_a_whole_dataset) { EXPECT_EQ(problems_of(LintExample()), Problems()); }

TEST(DefaultLint, looks_for_masks_and_reads_them) {
  const LintExample example;
  std::filesystem::remove(example.mask_path(LintExample::first));
  EXPECT_EQ(problems_of(example),
            (Problems{"mask_missing segmentations/" + std::string(LintExample::first)}));
  EXPECT_TRUE(write_file(example.mask_path(LintExample::first), "no mask").ok());
  EXPECT_EQ(problems_of(example),
            (Problems{"mask_unreadable segmentations/" + std::string(LintExample::first)}));
}

TEST(DefaultLint, wants_a_channel_a_finding_and_a_text_for_it) {
  LintExample example;
  example.edit("", R"("findings":{"0":"A nodule.","1":"Two opacities."})",
               R"("findings":{"0":"A nodule.","1":"","2":"More."})");
  const Problems found = problems_of(example);
  ASSERT_EQ(found.size(), 2U);
  EXPECT_TRUE(found[0].starts_with("finding_text_empty"));
  EXPECT_TRUE(found[1].starts_with("mask_channels"));
}

TEST(DefaultLint, finds_names_and_patients_in_two_splits) {
  LintExample example;
  example.set_text(R"({"train":[{"name":"train_1_a_1.nii.gz","findings":{"0":"a","1":"b"}},
                                {"name":"train_3_b_1.nii.gz","findings":{"0":"a","1":"b"}}],
                       "test":[{"name":"train_1_a_1.nii.gz","findings":{"0":"a","1":"b"}},
                               {"name":"train_3_a_1.nii.gz","findings":{"0":"a","1":"b"}}]})");
  EXPECT_EQ(problems_of(example), (Problems{"name_in_two_splits dataset.json", "patients_shared dataset.json",
                                            "mask_missing segmentations/train_3_b_1.nii.gz"}));
}

TEST(DefaultLint, checks_predictions_where_there_are_masks) {
  LintExample example;
  example.with_predictions();
  EXPECT_EQ(problems_of(example), Problems());
  example.request.predictions = example.folder() / "none";
  EXPECT_TRUE(problems_of(example).front().starts_with("failed: "));
  EXPECT_EQ(default_lint_inputs(plain_adapter()), std::vector{LintInput::predictions});
  EXPECT_TRUE(default_lint_inputs({.id = "questions"}).empty());
}

TEST(LintInputs, are_refused_where_a_layout_has_no_rules_for_them) {
  const LintRequest request{.volumes = "a", .labels = "b"};
  EXPECT_TRUE(refuse_other_inputs(request, "x", {LintInput::volumes, LintInput::labels}).ok());
  EXPECT_EQ(refuse_other_inputs(request, "x", {LintInput::labels}).error().text(),
            "x: check takes no --volumes for this benchmark, only --labels");
  EXPECT_EQ(refuse_other_inputs({.predictions = "p"}, "x", {}).error().text(),
            "x: check takes no --predictions for this benchmark, only --split; predictions are checked when "
            "they are scored (fiducial score)");
}

}  // namespace
}  // namespace fiducial
