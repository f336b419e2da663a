#include "fiducial/eval/case_journal.h"

#include <gtest/gtest.h>

#include "fiducial/base/interruption.h"
#include "fiducial/eval/case_score_json.h"
#include "fiducial/eval/score_example.h"

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

std::vector<CaseScore> scored_cases() { return example().score()->cases; }

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

TEST(CaseJournal, keeps_what_was_appended_for_the_same_key) {
  const TemporaryFolder folder;
  const std::vector<CaseScore> cases = scored_cases();
  {
    CaseJournal journal = *CaseJournal::open(folder / "j", "key");
    for (const CaseScore& scored : cases) ASSERT_TRUE(journal.append(scored).ok());
  }
  const CaseJournal again = *CaseJournal::open(folder / "j", "key");
  EXPECT_EQ(again.kept().size(), cases.size());
}

TEST(CaseJournal, starts_anew_for_another_key) {
  const TemporaryFolder folder;
  ASSERT_TRUE(CaseJournal::open(folder / "j", "key")->append(scored_cases().front()).ok());
  EXPECT_TRUE(CaseJournal::open(folder / "j", "other")->kept().empty());
  EXPECT_TRUE(CaseJournal::open(folder / "j", "key")->kept().empty());
}

TEST(CaseJournal, survives_a_cut_at_every_byte) {
  const TemporaryFolder folder;
  const std::vector<CaseScore> cases = scored_cases();
  const std::string text = journal_text("key", cases);
  for (std::size_t cut = 0; cut <= text.size(); cut += 7) {
    ASSERT_TRUE(write_file(folder / "j", std::string_view(text).substr(0, cut)).ok());
    const auto whole_lines = std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(cut), '\n');
    {
      CaseJournal journal = *CaseJournal::open(folder / "j", "key");
      ASSERT_EQ(journal.kept().size(), static_cast<std::size_t>(std::max<std::int64_t>(0, whole_lines - 1)));
      ASSERT_TRUE(journal.append(cases.back()).ok());
    }
    EXPECT_TRUE(CaseJournal::read(folder / "j", "key").ok());
  }
}

TEST(CaseJournal, refuses_to_read_a_file_that_is_cut_off) {
  const TemporaryFolder folder;
  const std::string text = journal_text("key", scored_cases());
  ASSERT_TRUE(write_file(folder / "j", std::string_view(text).substr(0, text.size() - 5)).ok());
  EXPECT_EQ(CaseJournal::read(folder / "j", "key").error().code(), ErrorCode::integrity);
}

TEST(ResumedRun, takes_finished_cases_from_the_journal_and_gives_the_same_run) {
  ScoreRequest request = example().request();
  request.resumable = true;
  SilentProgress progress;
  const Result<ScoredRun> first = score_run(request, Executor(1), progress);
  ASSERT_TRUE(first.ok());
  ASSERT_TRUE(std::filesystem::exists(journal_path(request.output)));
  const Result<ScoredRun> second = score_run(request, Executor(2), progress);
  ASSERT_TRUE(second.ok());
  EXPECT_EQ(journal_text("", second->cases), journal_text("", first->cases));
  forget_journal(request.output);
  EXPECT_FALSE(std::filesystem::exists(journal_path(request.output)));
}

TEST(ResumedRun, scores_a_case_again_when_its_prediction_has_changed) {
  ExampleRun run;
  const LabelMap nodule = Drawing({12, 12, 8}).box({2, 2, 2}, {5, 4, 4}).map();
  run.add("train_1_a_1.nii.gz", {nodule}, mask_file_bytes({Drawing({12, 12, 8}).map()}));
  ScoreRequest request = run.request(ScoreMode::strict);
  request.resumable = true;
  SilentProgress progress;
  EXPECT_EQ(score_run(request, Executor(1), progress)->cases.front().findings.front().strict.front(),
            Score(0.0));
  ASSERT_TRUE(
      write_file(run.path("predictions/train_1_a_1.nii.gz"), ByteView(mask_file_bytes({nodule}))).ok());
  EXPECT_EQ(score_run(request, Executor(1), progress)->cases.front().findings.front().strict.front(),
            Score(1.0));
  forget_journal(request.output);
}

TEST(ResumedRun, stops_when_asked_to_and_keeps_its_journal) {
  ScoreRequest request = example().request();
  request.resumable = true;
  request.output = example().path("stopped");
  SilentProgress progress;
  request_stop(true);
  const Result<ScoredRun> run = score_run(request, Executor(1), progress);
  request_stop(false);
  ASSERT_FALSE(run.ok());
  EXPECT_EQ(run.error().code(), ErrorCode::interrupted);
  EXPECT_TRUE(std::filesystem::exists(journal_path(request.output)));
}

}  // namespace
}  // namespace fiducial
