#include <gtest/gtest.h>

#include "fiducial/base/number_text.h"
#include "fiducial/tasks/finding_masks/mask_options.h"
#include "fiducial/tasks/finding_masks/score_example.h"

namespace fiducial {
namespace {

// Cubes of 3 x 3 x 3 voxels along x, numbered from 1.
LabelMap cubes(const std::vector<int>& places) {
  const Extent extent{60, 5, 5};
  std::vector<LabelRun> runs;
  for (std::int32_t z = 1; z < 4; ++z) {
    for (std::int32_t y = 1; y < 4; ++y) {
      for (std::size_t i = 0; i < places.size(); ++i) {
        runs.push_back({y + 5 * z, 6 * places[i] + 1, 6 * places[i] + 4, static_cast<std::int32_t>(i) + 1});
      }
    }
  }
  return {Grid{extent, Affine::identity()}, std::move(runs)};
}

// One case of two findings: two entities of which one is predicted beside a wrong component, and three of
// which two are predicted beside three that are not marked.
Json scored(std::optional<bool> partial, const std::vector<std::string>& metrics = {"instances"}) {
  ExampleRun example;
  example.add("a_1.nii", {cubes({0, 2}), cubes({0, 2, 4})},
              mask_file_bytes({cubes({0, 8}), cubes({0, 2, 6, 7, 8})}));
  TaskRequest request = example.request(ScoreMode::both);
  if (partial) request.values["labels"] = {*partial ? "partial" : "exhaustive"};
  request.values["metrics"] = metrics;
  Result<ScoreRun> run = score_example(request);
  EXPECT_TRUE(run.ok()) << run.error().text();
  return summary_of(*run);
}

double value(const Json& summary, const char* part, const char* slot) {
  return *slot_of(summary, part, slot).find("value")->as_number();
}

TEST(PartialLabels, count_in_full_where_labels_are_exhaustive) {
  const Json summary = scored(std::nullopt);
  EXPECT_EQ(summary.find("labels"), nullptr);
  EXPECT_DOUBLE_EQ(value(summary, "metrics", "instance_precision"), 3.0 / 7);
  EXPECT_DOUBLE_EQ(value(summary, "metrics", "instance_recall"), 3.0 / 5);
  EXPECT_DOUBLE_EQ(value(summary, "metrics", "instance_f1"), 6.0 / 12);
}

TEST(PartialLabels, give_findings_of_three_entities_recall_but_no_precision) {
  const Json summary = scored(true);
  EXPECT_EQ(*summary.find("labels")->as_string(), "partial");
  EXPECT_DOUBLE_EQ(value(summary, "metrics", "instance_precision"), 1.0 / 2);
  EXPECT_DOUBLE_EQ(value(summary, "metrics", "instance_f1"), 2.0 / 4);
  EXPECT_DOUBLE_EQ(value(summary, "metrics", "instance_recall"), 3.0 / 5);
  const Json& precision = slot_of(summary, "metrics", "instance_precision");
  EXPECT_EQ(*precision.find("n")->as_integer(), 1);
  EXPECT_EQ(*precision.find("n_undefined")->as_integer(), 1);
  EXPECT_EQ(*precision.find("metric")->as_string(), "instance_precision_entity18_partial");
  EXPECT_EQ(*slot_of(summary, "metrics", "instance_recall").find("metric")->as_string(),
            "instance_recall_entity18");
}

TEST(PartialLabels, leave_official_values_as_the_published_scorer_gives_them) {
  EXPECT_EQ(scored(true).find("official")->compact(), scored(false).find("official")->compact());
}

TEST(PartialLabels, say_why_there_is_no_precision_at_all) {
  const Json& summary = scored(true);
  const Json& slot = *summary.find("groups")->find("entities")->find("3")->find("instance_precision");
  EXPECT_TRUE(slot.find("value")->is_null());
  EXPECT_EQ(*slot.find("reason")->as_string(), partial_labels);
}

TEST(PartialLabels, also_leave_panoptic_quality_open) {
  const Json summary = scored(true, {"panoptic"});
  const Json& slot = slot_of(summary, "metrics", "pq_greedy_iou50_per_finding");
  EXPECT_EQ(*slot.find("n")->as_integer(), 1);
  EXPECT_EQ(*slot.find("metric")->as_string(), "pq_greedy_iou50_partial");
}

TEST(PartialLabels, are_those_of_splits_named_train) {
  ExampleRun example;
  example.add("a_1.nii", {cubes({0})}, mask_file_bytes({cubes({0})}));
  const Result<std::string> text = read_text_file(example.path("data/dataset.json"));
  ASSERT_TRUE(text.ok());
  std::string renamed = *text;
  renamed.replace(renamed.find("test"), 4, "train");
  ASSERT_TRUE(write_file(example.path("data/dataset.json"), renamed).ok());
  TaskRequest request = example.request();
  request.values["split"] = {"train"};
  EXPECT_TRUE(mask_plan_of(*score_example(request))->partial_labels);
  request.values["labels"] = {"exhaustive"};
  EXPECT_FALSE(mask_plan_of(*score_example(request))->partial_labels);
}

}  // namespace
}  // namespace fiducial
