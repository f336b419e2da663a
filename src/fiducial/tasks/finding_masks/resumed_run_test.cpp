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
  ASSERT_TRUE(write_example(*second, output).ok());
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
}

// A CT whose voxels lie where the mask's header does not say.
Bytes volume_bytes(double spacing_mm) {
  NiftiHeader header = example_header({12, 12, 8}, VoxelType::int16);
  header.set_affine(Affine::scaling({spacing_mm, spacing_mm, spacing_mm}));
  return example_file(header, std::vector<double>(12 * 12 * 8));
}

TEST(ResumedRun, scores_a_case_again_when_its_ct_has_changed_come_or_gone) {
  ExampleRun run;
  const LabelMap nodule = Drawing({12, 12, 8}).box({2, 2, 2}, {5, 4, 4}).map();
  const LabelMap near = Drawing({12, 12, 8}).box({3, 2, 2}, {5, 4, 4}).map();
  run.add("train_1_a_1.nii.gz", {nodule}, mask_file_bytes({near}));
  run.add("train_2_a_1.nii.gz", {nodule}, mask_file_bytes({near}));
  std::filesystem::create_directory(run.path("ct"));
  ASSERT_TRUE(write_file(run.path("ct/train_2_a_1.nii.gz"), ByteView(volume_bytes(1))).ok());
  const Path volume = run.path("ct/train_1_a_1.nii.gz");
  TaskRequest request = run.request(ScoreMode::strict);
  request.values["volumes"] = {run.path("ct").string()};
  request.values["metrics"] = {"dice"};
  request.journal = journal_path(run.path("scores"));
  const auto spacing = [&] { return cases_of(*score_example(request)).front().spacing_mm; };
  ASSERT_TRUE(write_file(volume, ByteView(volume_bytes(2))).ok());
  EXPECT_EQ(spacing(), (Vec3{2, 2, 2}));
  ASSERT_TRUE(write_file(volume, ByteView(volume_bytes(3))).ok());
  EXPECT_EQ(spacing(), (Vec3{3, 3, 3}));
  std::filesystem::remove(volume);
  EXPECT_EQ(spacing(), std::nullopt);
  ASSERT_TRUE(write_file(volume, ByteView(volume_bytes(4))).ok());
  EXPECT_EQ(spacing(), (Vec3{4, 4, 4}));
}

TEST(ResumedRun, scores_a_case_again_when_its_ignored_regions_have_changed) {
  ExampleRun run;
  const LabelMap nodule = Drawing({12, 12, 8}).box({2, 2, 2}, {5, 4, 4}).map();
  run.add("train_1_a_1.nii.gz", {nodule}, mask_file_bytes({nodule}));
  std::filesystem::create_directory(run.path("ignored"));
  const Path regions = run.path("ignored/train_1_a_1.nii.gz");
  TaskRequest request = run.request(ScoreMode::strict);
  request.values["ignore"] = {run.path("ignored").string()};
  request.journal = journal_path(run.path("scores"));
  const auto digest = [&] { return cases_of(*score_example(request)).front().ignored_digest; };
  EXPECT_EQ(digest(), std::nullopt);
  ASSERT_TRUE(write_file(regions, ByteView(mask_file_bytes({nodule}))).ok());
  const auto first = digest();
  EXPECT_TRUE(first);
  ASSERT_TRUE(write_file(regions, ByteView(mask_file_bytes({Drawing({12, 12, 8}).map()}))).ok());
  EXPECT_NE(digest(), first);
  std::filesystem::remove(regions);
  EXPECT_EQ(digest(), std::nullopt);
}

TEST(ResumedRun, scores_a_case_again_whose_line_has_other_scores_than_the_plan) {
  ExampleRun run;
  const LabelMap nodule = Drawing({12, 12, 8}).box({2, 2, 2}, {5, 4, 4}).map();
  run.add("train_1_a_1.nii.gz", {nodule}, mask_file_bytes({nodule}));
  TaskRequest request = run.request();
  request.journal = journal_path(run.path("scores"));
  const std::string whole = summary_of(*score_example(request)).compact();
  const std::string text = *read_text_file(*request.journal);
  for (const char* list : {"\"strict\":[", "\"official\":["}) {
    const std::size_t begin = text.find(list) + std::string_view(list).size();
    const std::string shorter = text.substr(0, begin) + text.substr(text.find(']', begin));
    ASSERT_TRUE(write_file(*request.journal, std::string_view(shorter)).ok());
    const Result<ScoreRun> again = score_example(request);
    ASSERT_TRUE(again.ok()) << again.error().text();
    EXPECT_EQ(summary_of(*again).compact(), whole);
  }
}

TEST(ResumedRun, keeps_its_journal_when_the_output_cannot_be_published) {
  ExampleRun run;
  const LabelMap nodule = Drawing({12, 12, 8}).box({2, 2, 2}, {5, 4, 4}).map();
  run.add("train_1_a_1.nii.gz", {nodule}, mask_file_bytes({nodule}));
  TaskRequest request = run.request();
  const Path output = run.path("scores");
  request.journal = journal_path(output);
  const Result<ScoreRun> scored = score_example(request);
  ASSERT_TRUE(scored.ok());
  const auto appears_meanwhile = [&output](const ScoreRun&, const Json&) -> Result<std::vector<NamedText>> {
    std::filesystem::create_directories(output / "of another run");
    return std::vector<NamedText>();
  };
  EXPECT_FALSE(write_scores(*scored, {.folder = output, .more = appears_meanwhile}, Executor(1)).ok());
  EXPECT_TRUE(std::filesystem::exists(*request.journal));
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
