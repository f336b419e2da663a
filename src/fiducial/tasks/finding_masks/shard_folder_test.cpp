#include "fiducial/eval/folder/shard_folder.h"

#include <algorithm>

#include <gtest/gtest.h>

#include "fiducial/eval/folder/verification.h"
#include "fiducial/tasks/all_tasks.h"
#include "fiducial/tasks/finding_masks/score_example.h"

namespace fiducial {
namespace {

const ExampleRun& shard_example() {
  static const ExampleRun run = [] {
    ExampleRun out;
    const LabelMap nodule =
        Drawing({12, 12, 8}).box({2, 2, 2}, {5, 4, 4}, 3).box({8, 8, 3}, {3, 3, 3}, 5).map();
    const LabelMap near = Drawing({12, 12, 8}).box({3, 2, 2}, {5, 4, 4}).map();
    for (int i = 1; i <= 9; ++i) {
      const std::string name = "train_" + decimal(i) + "_a_1.nii.gz";
      out.add(name, {nodule},
              i == 4 ? std::nullopt : std::optional(mask_file_bytes({i % 2 == 0 ? near : nodule})));
    }
    return out;
  }();
  return run;
}

// Scores the shard_example in parts and returns their folders.
std::vector<Path> write_parts(const TemporaryFolder& folder, int count, std::uint64_t seed = 0) {
  std::vector<Path> out;
  for (int i = 0; i < count; ++i) {
    TaskRequest request = shard_example().request();
    request.shard = Shard{i, count};
    request.values["seed"] = {decimal(seed)};
    out.push_back(folder / ("part_" + decimal(seed) + "_" + decimal(i)));
    const Result<ScoreRun> part = score_example(request);
    EXPECT_TRUE(part.ok());
    EXPECT_TRUE(write_shard(*part, *request.shard, {.folder = out.back(), .more = {}}).ok());
  }
  return out;
}

// Where the data lie; the plan says the rest.
TaskRequest data_of(const ExampleRun& run) {
  TaskRequest out = run.request();
  out.values.clear();
  return out;
}

TEST(MergeShards, gives_the_bytes_of_an_unsharded_run_for_any_number_of_parts_in_any_order) {
  const TemporaryFolder folder;
  ASSERT_TRUE(write_example(*shard_example().score(), folder / "whole").ok());
  for (const int count : {1, 3, 16}) {
    const TemporaryFolder parts;
    std::vector<Path> folders = write_parts(parts, count);
    std::reverse(folders.begin(), folders.end());
    const Result<ScoreRun> merged = merge_shards(folders, find_task);
    ASSERT_TRUE(merged.ok()) << merged.error().text();
    ASSERT_TRUE(write_example(*merged, parts / "merged").ok());
    for (const char* name : {"plan.json", "summary.json", "rows.parquet", "rexrank.json"}) {
      EXPECT_EQ(*read_text_file(parts / "merged" / name), *read_text_file(folder / "whole" / name)) << name;
    }
  }
}

TEST(MergeShards, names_the_parts_that_are_missing) {
  const TemporaryFolder folder;
  std::vector<Path> folders = write_parts(folder, 3);
  folders.erase(folders.begin() + 1);
  const Result<ScoreRun> merged = merge_shards(folders, find_task);
  ASSERT_FALSE(merged.ok());
  EXPECT_EQ(merged.error().code(), ErrorCode::unfinished);
  EXPECT_EQ(merged.error().message(), "shards are missing: 1/3");
}

TEST(MergeShards, refuses_a_part_twice) {
  const TemporaryFolder folder;
  std::vector<Path> folders = write_parts(folder, 2);
  folders.push_back(folders.front());
  EXPECT_NE(merge_shards(folders, find_task).error().message().find("stands in"), std::string::npos);
}

TEST(MergeShards, refuses_parts_of_different_plans) {
  const TemporaryFolder folder;
  std::vector<Path> folders = write_parts(folder, 2);
  folders.back() = write_parts(folder, 2, 5).back();
  EXPECT_NE(merge_shards(folders, find_task).error().message().find("shard of another run"),
            std::string::npos);
}

TEST(MergeShards, notices_a_case_file_that_was_touched) {
  const TemporaryFolder folder;
  const std::vector<Path> folders = write_parts(folder, 1);
  const std::string text = *read_text_file(folders.front() / "scores.json");
  ASSERT_TRUE(
      write_file(folders.front() / "scores.json", std::string_view(text).substr(0, text.size() / 2)).ok());
  EXPECT_EQ(merge_shards(folders, find_task).error().code(), ErrorCode::integrity);
}

TEST(VerifyScores, agrees_with_untouched_scores) {
  const TemporaryFolder folder;
  ASSERT_TRUE(write_example(*shard_example().score(), folder / "scores").ok());
  SilentProgress progress;
  const Result<Verification> found =
      verify_scores(folder / "scores", finding_masks_task(), data_of(shard_example()), Executor(2), progress);
  ASSERT_TRUE(found.ok()) << found.error().text();
  EXPECT_TRUE(found->changed_inputs.empty());
  EXPECT_TRUE(found->changed_outputs.empty());
}

TEST(VerifyScores, names_every_output_that_was_edited) {
  const TemporaryFolder folder;
  ASSERT_TRUE(write_example(*shard_example().score(), folder / "scores").ok());
  const std::string text = *read_text_file(folder / "scores/summary.json");
  ASSERT_TRUE(write_file(folder / "scores/summary.json", std::string_view(text + " ")).ok());
  SilentProgress progress;
  const Result<Verification> found =
      verify_scores(folder / "scores", finding_masks_task(), data_of(shard_example()), Executor(1), progress);
  ASSERT_TRUE(found.ok());
  ASSERT_EQ(found->changed_outputs.size(), 1U);
  EXPECT_TRUE(found->changed_outputs.front().starts_with("summary.json: sha256 "));
}

TEST(VerifyScores, names_every_input_that_was_changed) {
  ExampleRun run;
  const LabelMap nodule = Drawing({12, 12, 8}).box({2, 2, 2}, {5, 4, 4}).map();
  run.add("train_1_a_1.nii.gz", {nodule}, mask_file_bytes({nodule}));
  run.add("train_2_a_1.nii.gz", {nodule}, mask_file_bytes({nodule}));
  const TemporaryFolder folder;
  ASSERT_TRUE(write_example(*run.score(), folder / "scores").ok());
  std::filesystem::remove(run.path("predictions/train_1_a_1.nii.gz"));
  ASSERT_TRUE(write_file(run.path("data/segmentations/train_2_a_1.nii.gz"),
                         ByteView(mask_file_bytes({Drawing({12, 12, 8}).map()})))
                  .ok());
  SilentProgress progress;
  const Result<Verification> found =
      verify_scores(folder / "scores", finding_masks_task(), data_of(run), Executor(1), progress);
  ASSERT_TRUE(found.ok());
  ASSERT_EQ(found->changed_inputs.size(), 2U);
  EXPECT_TRUE(found->changed_inputs[0].starts_with("prediction train_1_a_1.nii.gz: missing or unreadable"));
  EXPECT_TRUE(found->changed_inputs[1].starts_with("segmentations/train_2_a_1.nii.gz: sha256 "));
}

}  // namespace
}  // namespace fiducial
