#include <map>

#include <gtest/gtest.h>

#include "fiducial/table/parquet.h"
#include "fiducial/tasks/finding_masks/mask_options.h"
#include "fiducial/tasks/finding_masks/score_example.h"

namespace fiducial {
namespace {

constexpr Extent score_box{16, 12, 10};

LabelMap score_lesion(std::int64_t x, std::int32_t label = 1) {
  return Drawing(score_box).box({x, 2, 1}, {4, 5, 3}, label).map();
}

std::vector<LabelMap> two_findings() { return {score_lesion(1), score_lesion(8)}; }

Json example_summary(const ExampleRun& example, ScoreMode mode = ScoreMode::both) {
  const Result<ScoreRun> run = example.score(mode);
  EXPECT_TRUE(run.ok()) << run.error().text();
  return summary_of(*run);
}

double score_value(const Json& summary, const char* part, const char* slot) {
  return slot_of(summary, part, slot).find("value")->as_number().value_or(-1);
}

std::int64_t count(const Json& summary, const char* key) {
  return *summary.find("counts")->find(key)->as_integer();
}

// Name and bytes of every file of a folder.
std::map<std::string, std::string> contents(const Path& folder) {
  std::map<std::string, std::string> out;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(folder)) {
    if (entry.is_regular_file()) out[entry.path().filename().string()] = *read_text_file(entry.path());
  }
  return out;
}

TEST(FindingMasks, gives_one_for_predictions_equal_to_the_reference) {
  ExampleRun example;
  example.add("train_1_a_1.nii", two_findings(), mask_file_bytes(two_findings()));
  const Json summary = example_summary(example);
  for (const char* part : {"metrics", "official"}) {
    for (const auto& [slot, content] : *summary.find(part)->as_object()) {
      EXPECT_EQ(score_value(summary, part, slot.c_str()), 1) << part << " " << slot;
    }
  }
  EXPECT_TRUE(summary.find("orientation")->is_null());
}

TEST(FindingMasks, lowers_the_strict_mean_by_a_missing_prediction_and_leaves_the_official_one) {
  ExampleRun example;
  example.add("train_1_a_1.nii", two_findings(), mask_file_bytes(two_findings()))
      .add("train_2_a_1.nii", two_findings(), std::nullopt);
  const Json summary = example_summary(example);
  for (const char* slot : {"dice_per_case", "dice_per_finding", "hit_rate", "instance_recall"}) {
    EXPECT_EQ(score_value(summary, "metrics", slot), 0.5) << slot;
    EXPECT_EQ(score_value(summary, "official", slot), 1) << slot;
  }
  EXPECT_EQ(count(summary, "missing"), 1);
  EXPECT_EQ(count(summary, "failed"), 0);
}

TEST(FindingMasks, isolates_a_wrong_shape_in_mode_both) {
  ExampleRun example;
  const Extent other{16, 12, 9};
  const std::vector<LabelMap> wrong(2, Drawing(other).box({1, 2, 1}, {4, 5, 3}).map());
  example.add("train_1_a_1.nii", two_findings(), mask_file_bytes(two_findings()))
      .add("train_2_a_1.nii", two_findings(), mask_file_bytes(wrong));
  const Json summary = example_summary(example);
  EXPECT_EQ(score_value(summary, "metrics", "dice_per_case"), 0.5);
  EXPECT_EQ(count(summary, "failed"), 1);
  const Json& official = slot_of(summary, "official", "dice_per_case");
  EXPECT_TRUE(official.find("value")->is_null());
  EXPECT_EQ(
      *official.find("reason")->as_string(),
      "the published scorer stops at train_2_a_1.nii: expected 2 findings of 16 x 12 x 10 voxels, found an "
      "array of shape 2 x 16 x 12 x 9");
}

TEST(FindingMasks, stops_at_a_wrong_shape_in_mode_official) {
  ExampleRun example;
  example.add("train_1_a_1.nii", two_findings(), mask_file_bytes({score_lesion(1)}));
  const Result<ScoreRun> run = example.score(ScoreMode::official);
  ASSERT_FALSE(run.ok());
  EXPECT_EQ(exit_status(run.error().code()), 3);
  EXPECT_EQ(
      run.error().text(),
      "train_1_a_1.nii: expected 2 findings of 16 x 12 x 10 voxels, found an array of shape 1 x 16 x 12 x "
      "10; the number of findings differs; while scoring by the official rules, which stop here");
}

TEST(FindingMasks, names_the_permutation_of_a_prediction_whose_shape_is_permuted) {
  ExampleRun example;
  Drawing swapped({10, 12, 16});
  swapped.box({1, 2, 1}, {3, 5, 4});
  example.add("train_1_a_1.nii", {score_lesion(1)}, mask_file_bytes({swapped.map()}));
  const Json summary = example_summary(example, ScoreMode::strict);
  EXPECT_EQ(score_value(summary, "metrics", "dice_per_case"), 0);
  EXPECT_EQ(*summary.find("orientation")->find("transform")->as_string(), "swap x and z");
  EXPECT_EQ(summary.find("orientation")->find("dice_transformed")->as_number(), 1);
}

TEST(FindingMasks, wraps_ids_over_255_in_official_and_keeps_them_in_strict) {
  ExampleRun example;
  // 256 wraps to background, 257 to 1.
  const std::vector<LabelMap> reference = {
      Drawing(score_box).box({0, 0, 0}, {4, 5, 3}, 256).box({8, 0, 0}, {4, 5, 3}, 257).map()};
  example.add("train_1_a_1.nii", reference, mask_file_bytes(reference));
  const Json summary = example_summary(example);
  EXPECT_EQ(score_value(summary, "metrics", "dice_per_case"), 1);
  EXPECT_EQ(score_value(summary, "metrics", "instance_recall"), 1);
  EXPECT_EQ(score_value(summary, "official", "dice_per_case"), 1) << "both sides wrap alike";
  const std::vector<CaseScore> cases = cases_of(*example.score());
  EXPECT_EQ(cases[0].findings[0].official_matching->matches.size(), 1U);
  ASSERT_EQ(cases[0].notes.size(), 2U);
  EXPECT_EQ(cases[0].notes[0].text, "reference ids up to 257 were wrapped to 8 bits by the official rules");
  EXPECT_EQ(cases[0].notes[1].text, "labels from 0 to 257 were wrapped to 8 bits by the official rules");
}

TEST(FindingMasks, refuses_probabilities_in_strict_and_truncates_them_in_official) {
  ExampleRun example;
  const std::vector<LabelMap> one = {score_lesion(1)};
  example.add("train_1_a_1.nii", one, mask_file_bytes(one, VoxelType::float32, 0.75))
      .add("train_2_a_1.nii", one, mask_file_bytes(one, VoxelType::float32, 1.5))
      .add("train_3_a_1.nii", one, mask_file_bytes(one, VoxelType::float32, 1));
  const Json summary = example_summary(example);
  EXPECT_EQ(count(summary, "failed"), 2);
  EXPECT_EQ(score_value(summary, "metrics", "dice_per_case"), 1.0 / 3);
  EXPECT_NEAR(score_value(summary, "official", "dice_per_case"), 2.0 / 3, 1e-8) << "0.75 becomes background";
  const std::vector<CaseScore> cases = cases_of(*example.score());
  EXPECT_EQ(
      cases[0].reason,
      "values are not integers (100.00 % of the non-zero voxels); expected a mask, found probabilities");
  EXPECT_EQ(cases[1].notes[0].text, "60 non-integer voxels were truncated by the official rules");
}

TEST(FindingMasks, counts_no_failure_in_official_mode_for_what_only_strict_rules_refuse) {
  ExampleRun example;
  const std::vector<LabelMap> one = {score_lesion(1)};
  example.add("train_1_a_1.nii", one, mask_file_bytes(one, VoxelType::float32, 1.5));
  const Json summary = example_summary(example, ScoreMode::official);
  EXPECT_EQ(count(summary, "failed"), 0);
  EXPECT_EQ(score_value(summary, "metrics", "dice_per_case"), 1);
  for (const Json& remark : *summary.find("remarks")->as_array()) {
    EXPECT_EQ(*remark.find("code")->as_string(), "fractions_truncated");
  }
}

TEST(FindingMasks, scores_an_empty_finding_by_its_rule) {
  ExampleRun example;
  const LabelMap nothing(Grid{score_box, {}});
  example.add("train_1_a_1.nii", {nothing, nothing}, mask_file_bytes({nothing, score_lesion(1)}));
  const Json summary = example_summary(example);
  EXPECT_EQ(score_value(summary, "metrics", "dice_per_finding"), 0.5);
  EXPECT_EQ(slot_of(summary, "metrics", "instance_recall").find("reason")->compact(),
            "\"no reference entity\"");
}

TEST(FindingMasks, refuses_a_reference_whose_channels_are_not_the_listed_findings) {
  ExampleRun example;
  example.add("train_1_a_1.nii", two_findings(), std::nullopt);
  const Bytes one = mask_file_bytes({score_lesion(1)});
  ASSERT_TRUE(write_file(example.path("data/segmentations/train_1_a_1.nii"), ByteView(one)).ok());
  const Result<ScoreRun> run = example.score();
  ASSERT_FALSE(run.ok());
  EXPECT_EQ(run.error().message(), "mask has 1 channels, expected 2 as dataset.json lists findings");
}

TEST(FindingMasks, refuses_a_seed_that_json_cannot_hold) {
  ExampleRun example;
  example.add("train_1_a_1.nii", two_findings(), std::nullopt);
  TaskRequest request = example.request();
  request.values["seed"] = {"9223372036854775808"};
  EXPECT_EQ(score_example(request).error().text(),
            "--seed: expected a whole number from 0 to 9.3e+18, found \"9223372036854775808\"");
}

TEST(FindingMasks, names_the_system_after_the_folder_with_its_dots) {
  ExampleRun example;
  example.add("train_1_a_1.nii", two_findings(), std::nullopt);
  std::filesystem::rename(example.path("predictions"), example.path("model-1.5"));
  TaskRequest request = example.request();
  request.predictions = example.path("model-1.5") / "";
  EXPECT_EQ(score_example(request)->system, "model-1.5");
}

TEST(FindingMasks, lists_files_that_belong_to_no_case) {
  ExampleRun example;
  example.add("train_1_a_1.nii", two_findings(), mask_file_bytes(two_findings()));
  ASSERT_TRUE(write_file(example.path("predictions/other.nii.gz"), std::string_view("x")).ok());
  ASSERT_TRUE(write_file(example.path("predictions/readme.txt"), std::string_view("x")).ok());
  const Result<ScoreRun> run = example.score();
  ASSERT_EQ(run->remarks.size(), 1U);
  EXPECT_EQ(run->remarks[0].about, "other.nii.gz");
  EXPECT_EQ(run->remarks[0].code, "unknown_file");
}

TEST(FindingMasks, gives_the_same_bytes_on_1_2_and_5_threads) {
  ExampleRun example;
  Random random(31, "threads");
  for (int i = 0; i < 12; ++i) {
    const std::vector<LabelMap> reference = {random_labels(random, score_box, 6),
                                             random_labels(random, score_box, 6)};
    const std::vector<LabelMap> prediction = {random_labels(random, score_box, 6),
                                              random_labels(random, score_box, 6)};
    const std::string name = "train_" + decimal(i / 2) + "_" + (i % 2 == 0 ? "a" : "b") + "_1.nii";
    example.add(name, reference,
                i == 4 ? std::nullopt : std::optional(mask_file_bytes(prediction, VoxelType::uint8)));
  }
  std::vector<std::map<std::string, std::string>> folders;
  for (const int threads : {1, 2, 5}) {
    const Path out = example.path("scores" + decimal(threads));
    ASSERT_TRUE(write_example(*example.score(ScoreMode::both, threads), out, threads).ok());
    folders.push_back(contents(out));
  }
  EXPECT_EQ(folders[0].size(), 4U) << "summary, plan, rows, rexrank";
  EXPECT_EQ(folders[0], folders[1]);
  EXPECT_EQ(folders[0], folders[2]);
}

TEST(WriteScores, writes_what_does_not_depend_on_where_folders_lie) {
  const auto written = [] {
    ExampleRun example;
    example.add("train_1_a_1.nii", two_findings(), mask_file_bytes(two_findings()))
        .add("train_2_a_1.nii", two_findings(), mask_file_bytes({score_lesion(1)}));
    EXPECT_TRUE(write_example(*example.score(), example.path("scores")).ok());
    return contents(example.path("scores"));
  };
  EXPECT_EQ(written(), written());
}

TEST(WriteScores, hashes_the_plan_it_wrote_and_the_files_it_read) {
  ExampleRun example;
  example.add("train_1_a_1.nii", two_findings(), mask_file_bytes(two_findings()))
      .add("train_2_a_1.nii", two_findings(), std::nullopt);
  const Result<Json> summary = write_example(*example.score(), example.path("scores"));
  ASSERT_TRUE(summary.ok());
  const std::string plan = *read_text_file(example.path("scores/plan.json"));
  EXPECT_EQ(*summary->find("provenance")->find("plan_sha256")->as_string(), sha256(as_bytes(plan)).hex());
  const Json document = *parse_json(plan);
  const auto& files = *document.find("files")->as_array();
  const std::string prediction = *read_text_file(example.path("predictions/train_1_a_1.nii"));
  EXPECT_EQ(*files[0].find("prediction_sha256")->as_string(), sha256(as_bytes(prediction)).hex());
  EXPECT_EQ(*files[0].find("reference")->as_string(), "segmentations/train_1_a_1.nii");
  EXPECT_TRUE(files[1].find("prediction_sha256")->is_null());
}

TEST(WriteScores, writes_rows_that_read_back) {
  ExampleRun example;
  example.add("train_1_a_1.nii", two_findings(), mask_file_bytes(two_findings()));
  const Result<ScoreRun> run = example.score();
  ASSERT_TRUE(write_example(*run, example.path("scores")).ok());
  std::size_t rows = 0;
  const Table read = *read_parquet(example.path("scores/rows.parquet"));
  ASSERT_TRUE(visit_rows(*run, [&](const Table& table) -> Outcome {
                rows += table.rows();
                EXPECT_EQ(read.columns, table.columns);
                return done();
              }).ok());
  EXPECT_EQ(rows, read.rows());
}

TEST(WriteScores, writes_no_rexrank_file_in_strict_mode) {
  ExampleRun example;
  example.add("train_1_a_1.nii", two_findings(), mask_file_bytes(two_findings()));
  ASSERT_TRUE(write_example(*example.score(ScoreMode::strict), example.path("scores")).ok());
  EXPECT_FALSE(std::filesystem::exists(example.path("scores/rexrank.json")));
}

// The pairs of panoptica's spine example: reference ids as entities against everything predicted.
class SpineGoldens : public testing::Test {
 protected:
  // Scores one pair of the data pack as a finding, or says what is missing.
  std::optional<ScoreRun> scored(const std::string& folder) {
    const auto reference = data_pack_file("nifti/panoptica/" + folder + "/ref.nii.gz");
    const auto prediction = data_pack_file("nifti/panoptica/" + folder + "/pred.nii.gz");
    if (!reference || !prediction) return std::nullopt;
    example_.add("spine.nii.gz", {score_lesion(1)}, std::nullopt);
    const auto over = std::filesystem::copy_options::overwrite_existing;
    std::filesystem::copy_file(*reference, example_.path("data/segmentations/spine.nii.gz"), over);
    std::filesystem::copy_file(*prediction, example_.path("predictions/spine.nii.gz"), over);
    return *example_.score();
  }

  ExampleRun example_;
};

struct SpineGolden {
  const char* folder;
  double dice;
  std::size_t missed;
  double recall;
  double f1;
  InstanceMatch match;
};

void expect_golden(const ScoreRun& run, const SpineGolden& golden) {
  const FindingScore finding = cases_of(run)[0].findings[0];
  const std::vector<PlannedMetric> metrics = mask_plan_of(run)->metrics_of(Scorer::official);
  const auto score = [&](const std::string& id) {
    for (std::size_t i = 0; i < metrics.size(); ++i) {
      if (metrics[i].id == id) return finding.official[i].value();
    }
    return -1.0;
  };
  EXPECT_EQ(score("dice_rexrank_filtered"), golden.dice);
  EXPECT_EQ(score("instance_precision_greedy18"), 1);
  EXPECT_EQ(score("instance_recall_greedy18"), golden.recall);
  EXPECT_EQ(score("instance_f1_greedy18"), golden.f1);
  ASSERT_EQ(finding.official_matching->matches.size(), 1U);
  EXPECT_EQ(finding.official_matching->matches[0].reference, golden.match.reference);
  EXPECT_EQ(finding.official_matching->matches[0].dice, golden.match.dice);
  EXPECT_EQ(finding.official_matching->unmatched_reference.size(), golden.missed);
  EXPECT_TRUE(finding.official_matching->unmatched_prediction.empty());
}

TEST_F(SpineGoldens, of_unmatched_instances_are_those_of_the_published_scorer) {
  const auto run = scored("unmatched_instance");
  if (!run) GTEST_SKIP() << "data pack without nifti/panoptica/unmatched_instance/{ref,pred}.nii.gz";
  expect_golden(*run, {"unmatched_instance",
                       0.9744370224078732,
                       21,
                       0.045454545454545456,
                       0.08695652173913045,
                       {26, 1, 0.20922396397179308}});
}

TEST_F(SpineGoldens, of_semantic_labels_are_those_of_the_published_scorer) {
  const auto run = scored("semantic");
  if (!run) GTEST_SKIP() << "data pack without nifti/panoptica/semantic/{ref,pred}.nii.gz";
  expect_golden(*run, {"semantic",
                       0.9731641527805729,
                       13,
                       0.07142857142857142,
                       0.13333333333333333,
                       {49, 1, 0.6193654346239554}});
}

}  // namespace
}  // namespace fiducial
