#include "fiducial/tasks/finding_masks/mask_plan.h"

#include <gtest/gtest.h>

namespace fiducial {
namespace {

using Words = std::vector<std::string>;

Words ids(const MaskPlan& plan) {
  Words out;
  for (const PlannedMetric& planned : plan.metrics) out.push_back(planned.id);
  return out;
}

Words selected(MaskPlan plan, const Words& wanted) {
  const Outcome outcome = select_metrics(plan, wanted);
  EXPECT_TRUE(outcome.ok()) << outcome.error().text();
  return ids(plan);
}

std::string refusal(MaskPlan plan, const Words& wanted) {
  const Outcome outcome = select_metrics(plan, wanted);
  EXPECT_FALSE(outcome.ok());
  EXPECT_EQ(outcome.error().code(), ErrorCode::bad_usage);
  return outcome.error().text();
}

const Words strict_instances = {
    "instance_tp_entity18",        "instance_fp_entity18",        "instance_fn_entity18",
    "instance_precision_entity18", "instance_recall_entity18",    "instance_f1_entity18",
    "matched_dice_entity18",       "instance_tp_strict18",        "instance_fp_strict18",
    "instance_fn_strict18",        "instance_precision_strict18", "instance_recall_strict18",
    "instance_f1_strict18",        "matched_dice_strict18"};

TEST(Plan, takes_a_group_of_both_scorers_strict_first) {
  EXPECT_EQ(selected({}, {"dice"}), (Words{"dice", "dice_filtered", "iou", "dice_rexrank_filtered"}));
  EXPECT_EQ(selected({}, {"hit"}), (Words{"hit10", "hit5", "hit10_rexrank_filtered"}));
}

TEST(Plan, takes_only_the_metrics_of_its_mode) {
  EXPECT_EQ(selected({.mode = ScoreMode::strict}, {"dice"}), (Words{"dice", "dice_filtered", "iou"}));
  EXPECT_EQ(selected({.mode = ScoreMode::official}, {"dice"}), Words{"dice_rexrank_filtered"});
  EXPECT_EQ(selected({.mode = ScoreMode::strict}, {"instances"}), strict_instances);
}

TEST(Plan, takes_everything_of_all_groups) {
  std::size_t expected = 0;
  for (const MaskMetric& metric : all_mask_metrics())
    expected += metric.contract.id.ends_with("_raw") ? 0U : 1U;
  EXPECT_EQ(selected({}, {"all"}).size(), expected);
}

TEST(Plan, takes_single_metrics_in_the_order_of_the_registry) {
  EXPECT_EQ(selected({}, {"hit5", "dice"}),
            (Words{"dice", "dice_filtered", "iou", "hit5", "dice_rexrank_filtered"}));
  EXPECT_EQ(selected({.mode = ScoreMode::strict}, {"iou", "iou"}), Words{"iou"});
}

TEST(Plan, adds_the_counts_behind_a_pooled_share) {
  EXPECT_EQ(selected({}, {"instance_f1_strict18"}), (Words{"instance_tp_strict18", "instance_fp_strict18",
                                                           "instance_fn_strict18", "instance_f1_strict18"}));
}

TEST(Plan, has_raw_dice_and_no_instances_of_the_published_scorer_in_global_only_mode) {
  EXPECT_EQ(selected({.mode = ScoreMode::official, .global_only = true}, {"all"}),
            (Words{"dice_rexrank_raw", "hit10_rexrank_raw"}));
}

TEST(Plan, shows_changed_rules_in_the_ids_they_change) {
  MaskPlan plan{.mode = ScoreMode::official};
  plan.official_rules = {.connectivity = Connectivity::corners26, .min_voxels = 3};
  EXPECT_EQ(selected(plan, {"all"}),
            (Words{"dice_rexrank_filtered_cc26_min3", "hit10_rexrank_filtered_cc26_min3",
                   "instance_tp_greedy26_min3", "instance_fp_greedy26_min3", "instance_fn_greedy26_min3",
                   "instance_precision_greedy26_min3", "instance_recall_greedy26_min3",
                   "instance_f1_greedy26_min3", "matched_dice_greedy26_min3"}));
}

TEST(Plan, leaves_ids_alone_that_the_rules_do_not_touch) {
  MaskPlan plan;
  plan.official_rules.connectivity = Connectivity::faces6;
  EXPECT_EQ(selected(plan, {"dice"}), (Words{"dice", "dice_filtered", "iou", "dice_rexrank_filtered_cc6"}));
  plan.global_only = true;
  EXPECT_EQ(selected(plan, {"dice"}), (Words{"dice", "dice_filtered", "iou", "dice_rexrank_raw"}));
}

TEST(Plan, shows_a_changed_tolerance_in_the_ids_it_changes) {
  EXPECT_EQ(selected({.mode = ScoreMode::strict, .tolerance_mm = 2.5}, {"nsd_surfel", "hd"}),
            (Words{"nsd_surfel_tol2_5mm", "hd"}));
  EXPECT_EQ(selected({.mode = ScoreMode::strict}, {"nsd_surfel"}), Words{"nsd_surfel"});
}

TEST(Plan, shows_ignored_regions_in_the_ids_of_what_counts_false_positives) {
  EXPECT_EQ(selected({.mode = ScoreMode::strict, .ignores_regions = true}, {"distance_f1_strict18"}),
            (Words{"distance_tp_strict18", "distance_fp_strict18_ignore", "distance_fn_strict18",
                   "distance_f1_strict18_ignore"}));
}

TEST(Plan, writes_the_tolerance_only_where_a_metric_depends_on_it) {
  MaskPlan plan{.mode = ScoreMode::strict, .tolerance_mm = 2};
  ASSERT_TRUE(select_metrics(plan, {"hd"}).ok());
  EXPECT_EQ(to_json(plan).find("tolerance_mm"), nullptr);
  ASSERT_TRUE(select_metrics(plan, {"nsd_surfel"}).ok());
  EXPECT_EQ(*to_json(plan).find("tolerance_mm")->as_number(), 2);
}

TEST(Plan, refuses_a_word_that_is_neither_metric_nor_group) {
  const std::string message = refusal({}, {"dice", "dise"});
  EXPECT_TRUE(message.starts_with("no metric or group \"dise\"; groups are dice, hit, instances, "))
      << message;
  EXPECT_TRUE(message.ends_with(", all; did you mean dice?")) << message;
}

TEST(Plan, refuses_metrics_that_belong_to_the_other_mode) {
  EXPECT_EQ(refusal({.mode = ScoreMode::official}, {"iou"}),
            "none of the chosen metrics belongs to this mode");
}

TEST(Plan, reads_the_names_of_modes_back) {
  for (const ScoreMode mode : {ScoreMode::both, ScoreMode::strict, ScoreMode::official}) {
    EXPECT_EQ(*parse_score_mode(to_string(mode)), mode);
  }
  EXPECT_EQ(parse_score_mode("fair").error().text(), "mode \"fair\"; expected both, strict or official");
}

TEST(Plan, writes_the_rules_of_the_scorers_it_uses_only) {
  MaskPlan plan{.mode = ScoreMode::strict};
  ASSERT_TRUE(select_metrics(plan, {"iou"}).ok());
  EXPECT_EQ(to_json(plan).find("official"), nullptr);
  EXPECT_EQ(to_json(plan).find("strict")->compact(),
            R"({"connectivity":18,"min_voxels":10,"max_components":50})");
}

}  // namespace
}  // namespace fiducial
