#include "fiducial/eval/folder/comparison_pool.h"

#include <numeric>

#include <gtest/gtest.h>

namespace fiducial {
namespace {

using Values = FindingRows::Values;

// Two cases of one patient and one of another, with two findings each.
FindingRows example_rows() {
  FindingRows out;
  const std::pair<const char*, const char*> cases[] = {{"a", "p1"}, {"b", "p1"}, {"c", "p2"}};
  for (const auto& [name, patient] : cases) {
    for (std::int64_t finding = 0; finding < 2; ++finding) {
      out.findings.push_back({name, finding, patient, finding == 0 ? "2d" : "1c", "scored"});
      out.groups["category"].emplace_back(finding == 0 ? "2d" : "1c");
    }
  }
  return out;
}

std::vector<std::size_t> all_of(const FindingRows& rows) {
  std::vector<std::size_t> out(rows.findings.size());
  std::iota(out.begin(), out.end(), std::size_t{0});
  return out;
}

Pool pooled(const FindingRows& rows, const PoolRule& rule, Scorer scorer = Scorer::strict) {
  return Pooling(rows, scorer).pool(rule, all_of(rows)).value();
}

PoolRule rule_of(const char* slot, const char* metric, Scorer scorer = Scorer::strict) {
  const Json slots = Json::object(
      {{slot, Json::object({{"metric", metric}, {"version", 1}, {"better", "higher"}, {"value", 0}})}});
  return first_pool_rules(slots, scorer).value().front();
}

TEST(Pooling, takes_the_mean_over_findings_that_have_a_value) {
  FindingRows rows = example_rows();
  rows.values["dice"] = Values{0.5, std::nullopt, 1.0, 0.0, 0.25, 0.25};
  const Pool pool = pooled(rows, rule_of("dice_per_finding", "dice"));
  EXPECT_DOUBLE_EQ(*pool.value(), 2.0 / 5);
  EXPECT_EQ(pool.n, 5);
  EXPECT_EQ(pool.sums, (std::vector<double>{1.5, 3, 0.5, 2}));
}

TEST(Pooling, takes_the_mean_of_case_means) {
  FindingRows rows = example_rows();
  rows.values["dice"] = Values{0.5, std::nullopt, 1.0, 0.0, 0.25, 0.75};
  EXPECT_DOUBLE_EQ(*pooled(rows, rule_of("dice_per_case", "dice")).value(), (0.5 + 0.5 + 0.5) / 3);
}

TEST(Pooling, takes_the_mean_of_category_means) {
  FindingRows rows = example_rows();
  rows.values["dice"] = Values{1, 0, 1, 0, 0.25, 0.75};
  EXPECT_DOUBLE_EQ(*pooled(rows, rule_of("dice_per_category", "dice")).value(), (0.75 + 0.25) / 2);
}

TEST(Pooling, pools_shares_from_counts) {
  FindingRows rows = example_rows();
  rows.values["instance_tp_strict6_min3"] = Values{1, 2, 0, 0, 1, 1};
  rows.values["instance_fp_strict6_min3"] = Values{0, 1, 0, 4, 0, 0};
  rows.values["instance_fn_strict6_min3"] = Values{1, 0, 2, 0, 0, 0};
  EXPECT_DOUBLE_EQ(*pooled(rows, rule_of("instance_precision", "instance_precision_strict6_min3")).value(),
                   5.0 / 10);
  EXPECT_DOUBLE_EQ(*pooled(rows, rule_of("instance_recall", "instance_recall_strict6_min3")).value(),
                   5.0 / 8);
  EXPECT_DOUBLE_EQ(*pooled(rows, rule_of("instance_f1", "instance_f1_strict6_min3")).value(), 10.0 / 18);
}

TEST(Pooling, finds_counts_whose_id_tells_of_ignored_regions) {
  FindingRows rows = example_rows();
  rows.values["instance_tp_strict18"] = Values(6, 1.0);
  rows.values["instance_fp_strict18_ignore"] = Values(6, 2.0);
  rows.values["instance_fn_strict18"] = Values(6, 1.0);
  EXPECT_DOUBLE_EQ(*pooled(rows, rule_of("instance_recall", "instance_recall_strict18")).value(), 0.5);
  EXPECT_DOUBLE_EQ(*pooled(rows, rule_of("instance_precision", "instance_precision_strict18_ignore")).value(),
                   1.0 / 3);
}

TEST(Pooling, gives_one_for_a_share_of_nothing_by_official_rules_only) {
  FindingRows rows = example_rows();
  for (const char* count : {"instance_tp_x", "instance_fp_x", "instance_fn_x"})
    rows.values[count] = Values(6, 0.0);
  const auto precision = [&rows](Scorer scorer) {
    return pooled(rows, rule_of("instance_precision", "instance_precision_x", scorer), scorer).value();
  };
  EXPECT_EQ(precision(Scorer::official), 1.0);
  EXPECT_FALSE(precision(Scorer::strict));
}

TEST(Pooling, weights_matched_dice_by_matches) {
  FindingRows rows = example_rows();
  rows.values["matched_dice_strict18"] =
      Values{0.5, 0.8, std::nullopt, std::nullopt, std::nullopt, std::nullopt};
  rows.values["instance_tp_strict18"] = Values{1, 3, 0, 0, 0, 0};
  const Pool pool = pooled(rows, rule_of("matched_dice", "matched_dice_strict18"));
  EXPECT_DOUBLE_EQ(*pool.value(), (0.5 + 3 * 0.8) / 4);
  EXPECT_EQ(pool.n, 4);
}

TEST(Pooling, gives_no_official_value_where_the_published_scorer_stops) {
  FindingRows rows = example_rows();
  rows.values["dice"] = Values(6, 1.0);
  rows.official_stops = true;
  const PoolRule rule = rule_of("dice_per_finding", "dice");
  EXPECT_FALSE(pooled(rows, rule, Scorer::official).value());
  EXPECT_EQ(pooled(rows, rule, Scorer::strict).value(), 1.0);
}

TEST(Pooling, names_the_rows_it_misses) {
  const FindingRows rows = example_rows();
  const auto found = Pooling(rows, Scorer::strict).pool(rule_of("iou_per_finding", "iou"), all_of(rows));
  ASSERT_FALSE(found.ok());
  EXPECT_EQ(found.error().code(), ErrorCode::integrity);
  EXPECT_EQ(found.error().message(), "rows.parquet has no rows of iou");
}

}  // namespace
}  // namespace fiducial
