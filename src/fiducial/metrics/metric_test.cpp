#include "fiducial/metrics/metric.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <set>

#include <gtest/gtest.h>

#include "fiducial/base/number_text.h"
#include "fiducial/metrics/finding_example.h"

namespace fiducial {
namespace {

constexpr Extent cube{12, 10, 8};

LabelMap nothing_drawn() { return LabelMap(Grid{cube, {}}); }
LabelMap something() { return Drawing(cube).box({2, 2, 2}, {3, 3, 3}).map(); }

// Two entities of 27 voxels each, apart from each other and too large to be left out as noise.
LabelMap two_things() { return Drawing(cube).box({2, 2, 2}, {3, 3, 3}).box({8, 6, 4}, {3, 3, 3}, 2).map(); }
constexpr double count_of_two_things = 2;
constexpr double voxels_of_two_things = 54;

// What the words of a cell mean where the mask that is not empty is two_things().
std::optional<double> value_of_words(const std::string& cell) {
  if (cell == "number of components" || cell == "number of entities") return count_of_two_things;
  if (cell == "1e-6 / (A + 1e-6)" || cell == "1e-6 / (B + 1e-6)") return 1e-6 / (voxels_of_two_things + 1e-6);
  if (cell == "diagonal of the volume") return std::hypot(12 * 0.7, 10 * 0.8, 8 * 1.5);  // of known_pair
  return std::nullopt;
}

// Whether a score is what a cell of the empty rule says.
void expect_cell(const std::string& cell, const Score& score, const std::string& id) {
  if (cell == "undefined") {
    EXPECT_FALSE(score.defined()) << id;
    EXPECT_FALSE(score.reason().empty()) << id;
    return;
  }
  ASSERT_TRUE(score.defined()) << id << ": " << score.reason();
  if (const auto number = parse_double(cell)) {
    EXPECT_EQ(score.value(), *number) << id;
  } else if (const auto meant = value_of_words(cell)) {
    EXPECT_DOUBLE_EQ(score.value(), *meant) << id;
  } else {
    ADD_FAILURE() << id << ": no test for the cell \"" << cell << "\"";
  }
}

bool in_range(const std::string& range, double value) {
  if (range == "[0, 1]") return value >= 0 && value <= 1;
  if (range == "(0, 1]") return value > 0 && value <= 1;
  if (range == "{0, 1}") return value == 0 || value == 1;
  if (range == "[0, inf)") return value >= 0;
  if (range == "[-1, inf)") return value >= -1;
  ADD_FAILURE() << "no test for the range " << range;
  return false;
}

bool is_better(const MetricContract& contract, double a, double b) {
  return contract.better == Direction::higher ? a > b : a < b;
}

TEST(MetricRegistry, lists_metrics_in_the_order_of_all_metrics_def) {
  std::vector<std::string> ids;
  for (const MaskMetric& metric : all_mask_metrics()) ids.push_back(metric.contract.id);
  const std::vector<std::string> expected = {
      "dice",
      "dice_filtered",
      "iou",
      "hit10",
      "hit5",
      "instance_tp_entity18",
      "instance_fp_entity18",
      "instance_fn_entity18",
      "instance_precision_entity18",
      "instance_recall_entity18",
      "instance_f1_entity18",
      "matched_dice_entity18",
      "instance_tp_strict18",
      "instance_fp_strict18",
      "instance_fn_strict18",
      "instance_precision_strict18",
      "instance_recall_strict18",
      "instance_f1_strict18",
      "matched_dice_strict18",
      "pq_greedy_iou50",
      "sq_greedy_iou50",
      "rq_greedy_iou50",
      "nsd_surfel",
      "nsd_voxel_edge",
      "nsd_voxel_edge_mean_fraction",
      "hd95_surfel_directed_max",
      "hd_surfel",
      "hd95_directed_max",
      "hd95_pooled",
      "hd",
      "asd_surfel_directed_reference_to_prediction",
      "asd_surfel_directed_prediction_to_reference",
      "assd_pooled",
      "assd_mean_directed",
      "asd_prediction_to_reference",
      "centroid_distance",
      "relative_volume_difference",
      "hd95_surfel_directed_max_penalised",
      "assd_pooled_penalised",
      "centroid_distance_penalised",
      "distance_tp_strict18",
      "distance_fp_strict18",
      "distance_fn_strict18",
      "distance_precision_strict18",
      "distance_recall_strict18",
      "distance_f1_strict18",
      "dice_rexrank_filtered",
      "dice_rexrank_raw",
      "hit10_rexrank_filtered",
      "hit10_rexrank_raw",
      "instance_tp_greedy18",
      "instance_fp_greedy18",
      "instance_fn_greedy18",
      "instance_precision_greedy18",
      "instance_recall_greedy18",
      "instance_f1_greedy18",
      "matched_dice_greedy18",
  };
  EXPECT_EQ(ids, expected);
}

TEST(MetricRegistry, finds_a_metric_by_its_id_only) {
  ASSERT_NE(find_mask_metric("iou"), nullptr);
  EXPECT_EQ(find_mask_metric("iou")->contract.title, "Intersection over union");
  EXPECT_EQ(find_mask_metric("IoU"), nullptr);
  EXPECT_EQ(find_mask_metric(""), nullptr);
}

TEST(MetricContract, has_a_snake_case_id_of_its_own) {
  std::set<std::string> seen;
  for (const MaskMetric& metric : all_mask_metrics()) {
    const std::string& id = metric.contract.id;
    EXPECT_TRUE(seen.insert(id).second) << id << " is used twice";
    EXPECT_FALSE(id.empty());
    EXPECT_TRUE(std::all_of(id.begin(), id.end(), [](char c) {
      return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_';
    })) << id;
    EXPECT_EQ(id.find("__"), std::string::npos) << id;
  }
}

TEST(MetricContract, is_complete) {
  for (const MaskMetric& metric : all_mask_metrics()) {
    const MetricContract& contract = metric.contract;
    const std::pair<const char*, const std::string*> fields[] = {
        {"title", &contract.title},
        {"group", &contract.group},
        {"range", &contract.range},
        {"unit", &contract.unit},
        {"empty.both", &contract.empty.both},
        {"empty.reference", &contract.empty.reference},
        {"empty.prediction", &contract.empty.prediction},
        {"empty.missing", &contract.empty.missing},
        {"definition", &contract.definition},
        {"parameters", &contract.parameters},
        {"valid_for", &contract.valid_for},
        {"citation", &contract.citation},
    };
    for (const auto& [name, text] : fields) EXPECT_FALSE(text->empty()) << contract.id << ": " << name;
    EXPECT_GE(contract.version, 1) << contract.id;
    EXPECT_NE(metric.score, nullptr) << contract.id;
  }
}

TEST(MetricContract, says_what_empty_masks_give) {
  for (const MaskMetric& metric : all_mask_metrics()) {
    const EmptyRule& rule = metric.contract.empty;
    const std::string& id = metric.contract.id;
    expect_cell(rule.both, metric.score(known_pair(nothing_drawn(), nothing_drawn())), id + ", both empty");
    expect_cell(rule.reference, metric.score(known_pair(nothing_drawn(), two_things())),
                id + ", reference empty");
    expect_cell(rule.prediction, metric.score(known_pair(two_things(), nothing_drawn())),
                id + ", prediction empty");
  }
}

TEST(MetricContract, says_what_a_missing_prediction_gives) {
  for (const MaskMetric& metric : all_mask_metrics()) {
    const MetricContract& contract = metric.contract;
    if (contract.scorer == Scorer::official) {
      EXPECT_EQ(contract.empty.missing, "left out of every mean") << contract.id;
      EXPECT_FALSE(contract.empty.missing_value) << contract.id;
    } else if (contract.empty.missing_value) {
      EXPECT_EQ(contract.empty.missing, shortest(*contract.empty.missing_value)) << contract.id;
    } else {
      expect_cell(contract.empty.missing, metric.score(known_pair(two_things(), nothing_drawn())),
                  contract.id + ", prediction missing");
    }
  }
}

TEST(MetricContract, holds_its_range_on_random_masks) {
  Random random(1, "range");
  for (int round = 0; round < 200; ++round) {
    const FindingPair pair = known_pair(random_labels(random, cube, 5), random_labels(random, cube, 5));
    for (const MaskMetric& metric : all_mask_metrics()) {
      const Score score = metric.score(pair);
      if (!score.defined()) continue;
      EXPECT_TRUE(in_range(metric.contract.range, score.value()))
          << metric.contract.id << " is " << score.value() << " in round " << round;
    }
  }
}

TEST(MetricContract, claims_that_less_is_never_better_for_these_metrics) {
  std::vector<std::string> claimed;
  for (const MaskMetric& metric : all_mask_metrics()) {
    if (metric.contract.less_is_never_better) claimed.push_back(metric.contract.id);
  }
  EXPECT_EQ(claimed, (std::vector<std::string>{"dice", "dice_filtered", "iou", "hit10", "hit5",
                                               "instance_recall_entity18", "instance_recall_strict18",
                                               "nsd_surfel", "nsd_voxel_edge", "nsd_voxel_edge_mean_fraction",
                                               "hd95_surfel_directed_max_penalised", "assd_pooled_penalised",
                                               "centroid_distance_penalised", "distance_recall_strict18"}));
}

TEST(MetricContract, never_rewards_an_empty_or_missing_prediction_where_it_claims_so) {
  Random random(2, "less is never better");
  int tried = 0;
  for (int round = 0; round < 300; ++round) {
    const LabelMap reference = random_labels(random, cube, 4);
    const FindingPair predicted = known_pair(reference, random_labels(random, cube, 5));
    if (reference.empty()) continue;
    ++tried;
    const FindingPair empty = known_pair(reference, nothing_drawn());
    for (const MaskMetric& metric : all_mask_metrics()) {
      if (!metric.contract.less_is_never_better) continue;
      const Score with = metric.score(predicted);
      const Score without = metric.score(empty);
      ASSERT_TRUE(with.defined() && without.defined()) << metric.contract.id;
      EXPECT_FALSE(is_better(metric.contract, without.value(), with.value())) << metric.contract.id;
      const double missing = metric.contract.empty.missing_value.value_or(without.value());
      EXPECT_FALSE(is_better(metric.contract, missing, with.value())) << metric.contract.id;
    }
  }
  EXPECT_GT(tried, 200);
}

TEST(MetricContract, is_right_not_to_claim_it_for_the_published_precision) {
  const LabelMap wrong = Drawing(cube).box({7, 6, 4}, {3, 3, 3}).map();
  EXPECT_EQ(score_of("instance_precision_greedy18", FindingPair(something(), wrong, {})).value(), 0);
  EXPECT_EQ(score_of("instance_precision_greedy18", FindingPair(something(), nothing_drawn(), {})).value(),
            1);
}

TEST(Metric, is_best_for_a_prediction_equal_to_the_reference) {
  const LabelMap both = Drawing(cube).box({0, 0, 0}, {3, 3, 2}, 4).box({6, 6, 4}, {3, 3, 3}, 9).map();
  const FindingPair pair = known_pair(both, both);
  for (const MaskMetric& metric : all_mask_metrics()) {
    const bool is_count = metric.contract.unit == "count";
    const double best = metric.contract.better != Direction::higher ? 0 : is_count ? 2 : 1;
    ASSERT_TRUE(metric.score(pair).defined()) << metric.contract.id;
    EXPECT_EQ(metric.score(pair).value(), best) << metric.contract.id;
  }
}

TEST(Metric, is_a_number_or_a_reason_on_random_masks) {
  Random random(3, "number or reason");
  for (int round = 0; round < 100; ++round) {
    const FindingPair pair = known_pair(random_labels(random, cube, 3), random_labels(random, cube, 3));
    for (const MaskMetric& metric : all_mask_metrics()) {
      const Score score = metric.score(pair);
      EXPECT_EQ(score.defined(), score.reason().empty()) << metric.contract.id;
      if (score.defined()) {
        EXPECT_EQ(score.value(), score.value()) << metric.contract.id << " is not a number";
      }
    }
  }
}

TEST(MetricDeathTest, refuses_masks_of_different_extents) {
  const LabelMap other(Grid{{12, 10, 9}, {}});
  EXPECT_DEATH(FindingPair(something(), other, {}), "extent");
}

}  // namespace
}  // namespace fiducial
