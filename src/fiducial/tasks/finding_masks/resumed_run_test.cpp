#include <gtest/gtest.h>

#include "fiducial/base/interruption.h"
#include "fiducial/eval/task/case_journal.h"
#include "fiducial/tasks/finding_masks/case_score_json.h"
#include "fiducial/tasks/finding_masks/score_example.h"

namespace fiducial {
namespace {

// Two scored cases, one missing, one with an orientation verdict: every field of a case is used somewhere.
const ExampleRun& example() {
  static const ExampleRun run = [] {
    ExampleRun out;
    const LabelMap nodule =
        Drawing({20, 14, 10}).box({2, 2, 2}, {5, 4, 4}, 3).box({12, 8, 6}, {4, 4, 3}, 7).map();
    const LabelMap near = Drawing({20, 14, 10}).box({3, 2, 2}, {5, 4, 4}).map();
    const LabelMap flipped = Drawing({20, 14, 10}).box({13, 8, 4}, {5, 4, 4}).map();
    out.add("train_1_a_1.nii.gz", {nodule, near}, mask_file_bytes({near, near}));
    out.add("train_2_a_1.nii.gz", {nodule}, mask_file_bytes({flipped}));
    out.add("train_3_a_1.nii.gz", {nodule}, std::nullopt);
    out.add("train_4_a_1.nii.gz", {nodule}, mask_file_bytes({near}, VoxelType::float32, 0.5));
    return out;
  }();
  return run;
}

std::vector<CaseScore> scored_cases() { return cases_of(*example().score()); }

TEST(CaseScoreJson, loses_nothing_on_the_way_to_text_and_back) {
  for (const CaseScore& scored : scored_cases()) {
    const Json written = to_json(scored);
    const Result<CaseScore> read = parse_case_score(*parse_json(written.compact()));
    ASSERT_TRUE(read.ok()) << read.error().text();
    EXPECT_EQ(to_json(*read).compact(), written.compact());
  }
}

TEST(CaseScoreJson, names_the_first_member_that_is_missing_or_wrong) {
  Json value = to_json(scored_cases().front());
  EXPECT_EQ(parse_case_score(Json(value).set("patient", 3)).error().message(),
            "scored case: \"patient\" is missing or has the wrong type");
  EXPECT_EQ(parse_case_score(Json(value).set("status", "great")).error().message(),
            "scored case: \"status\" is missing or has the wrong type");
  EXPECT_EQ(parse_case_score(Json(value).set("reference_sha256", "12")).error().message(),
            "scored case: \"reference_sha256\" is missing or has the wrong type");
}

TEST(ResumedRun, takes_finished_cases_from_the_journal_and_gives_the_same_run) {
  TaskRequest request = example().request();
  const Path output = example().path("scores");
  request.journal = journal_path(output);
  const Result<ScoreRun> first = score_example(request);
  ASSERT_TRUE(first.ok());
  ASSERT_TRUE(std::filesystem::exists(journal_path(output)));
  const Result<ScoreRun> second = score_example(request, 2);
  ASSERT_TRUE(second.ok());
  EXPECT_EQ(summary_of(*second).compact(), summary_of(*first).compact());
  forget_journal(output);
  EXPECT_FALSE(std::filesystem::exists(journal_path(output)));
}

TEST(ResumedRun, scores_a_case_again_when_its_prediction_has_changed) {
  ExampleRun run;
  const LabelMap nodule = Drawing({12, 12, 8}).box({2, 2, 2}, {5, 4, 4}).map();
  run.add("train_1_a_1.nii.gz", {nodule}, mask_file_bytes({Drawing({12, 12, 8}).map()}));
  TaskRequest request = run.request(ScoreMode::strict);
  request.journal = journal_path(run.path("scores"));
  EXPECT_EQ(cases_of(*score_example(request)).front().findings.front().strict.front(), Score(0.0));
  ASSERT_TRUE(
      write_file(run.path("predictions/train_1_a_1.nii.gz"), ByteView(mask_file_bytes({nodule}))).ok());
  EXPECT_EQ(cases_of(*score_example(request)).front().findings.front().strict.front(), Score(1.0));
  forget_journal(run.path("scores"));
}

TEST(ResumedRun, stops_when_asked_to_and_keeps_its_journal) {
  TaskRequest request = example().request();
  request.journal = journal_path(example().path("stopped"));
  request_stop(true);
  const Result<ScoreRun> run = score_example(request);
  request_stop(false);
  ASSERT_FALSE(run.ok());
  EXPECT_EQ(run.error().code(), ErrorCode::interrupted);
  EXPECT_TRUE(std::filesystem::exists(*request.journal));
}

}  // namespace
}  // namespace fiducial
