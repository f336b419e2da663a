#include "fiducial/terminal/scorecard.h"

#include <gtest/gtest.h>

namespace fiducial {
namespace {

Json scorecard_slot(double value, int n) {
  return Json::object({{"value", value},
                       {"ci95", Json::array({value - 0.125, value + 0.125})},
                       {"n", n},
                       {"counted", "findings"}});
}

Json summary_with(Json metrics) {
  return Json::object(
      {{"benchmark", "rexgroundingct"},
       {"split", "test"},
       {"mode", "strict"},
       {"system", "good"},
       {"metrics", std::move(metrics)},
       {"counts", Json::object({{"cases", 3}, {"findings", 9}, {"missing", 1}, {"failed", 2}})},
       {"orientation", Json()}});
}

TEST(Scorecard, puts_both_scorers_side_by_side) {
  Json summary = summary_with(
      Json::object({{"dice_per_case", scorecard_slot(0.5, 3)}, {"hit5_rate", scorecard_slot(0.75, 9)}}));
  summary.set("official", Json::object({{"dice_per_case", scorecard_slot(0.25, 2)}}));
  EXPECT_EQ(scorecard(summary),
            "good on rexgroundingct test: 3 cases, 9 findings, 1 missing, 2 failed\n"
            "                 strict                 n           official               n\n"
            "  dice_per_case  0.5000 [0.375, 0.625]  3 findings  0.2500 [0.125, 0.375]  2 findings\n"
            "  hit5_rate      0.7500 [0.625, 0.875]  9 findings\n"
            "  higher is better\n");
}

TEST(Scorecard, says_that_official_values_are_unconfirmed) {
  Json summary = summary_with(Json::object({{"hit_rate", scorecard_slot(0.5, 1)}}));
  summary.set("official", Json::object({{"hit_rate", scorecard_slot(0.5, 1)}}));
  summary.set("provenance", Json::object({{"official", "unconfirmed"}}));
  EXPECT_NE(scorecard(summary).find("official (unconfirmed)"), std::string::npos);
  summary.set("provenance", Json::object({{"official", "confirmed by 00"}}));
  EXPECT_EQ(scorecard(summary).find("unconfirmed"), std::string::npos);
  summary.set("mode", "official").set("provenance", Json::object({{"official", "unconfirmed"}}));
  EXPECT_NE(scorecard(summary).find("            official (unconfirmed)"), std::string::npos);
}

TEST(Scorecard, shows_a_slot_that_only_the_official_scorer_has) {
  Json summary = summary_with(Json::object({}));
  summary.set("official", Json::object({{"hit_rate", scorecard_slot(0.25, 2)}}));
  EXPECT_NE(scorecard(summary).find("hit_rate"), std::string::npos);
}

TEST(Scorecard, tells_the_unit_of_distances) {
  const Json summary =
      summary_with(Json::object({{"hd95_per_finding", scorecard_slot(3.5, 9).set("unit", "mm")}}));
  EXPECT_NE(scorecard(summary).find("hd95_per_finding  3.5000 mm [3.375, 3.625]  9 findings"),
            std::string::npos);
}

TEST(Scorecard, says_of_which_values_lower_is_better) {
  const Json summary = summary_with(
      Json::object({{"dice_per_case", scorecard_slot(0.5, 3).set("better", "higher")},
                    {"hd95_per_finding", scorecard_slot(3.5, 9).set("unit", "mm").set("better", "lower")}}));
  EXPECT_NE(scorecard(summary).find("  higher is better; lower is better for hd95_per_finding\n"),
            std::string::npos);
}

TEST(Scorecard, has_no_line_wider_than_the_terminal) {
  Json summary =
      summary_with(Json::object({{"dice_filtered_per_finding", scorecard_slot(0.5, 3).set("ceiling", 0.9)},
                                 {"component_matched_dice", scorecard_slot(0.75, 9).set("ceiling", 0.95)}}));
  summary.set("official", Json::object({{"dice_filtered_per_finding", scorecard_slot(0.25, 2)}}));
  const std::string text = scorecard(summary, 60);
  for (std::size_t begin = 0; begin < text.size(); begin = text.find('\n', begin) + 1)
    EXPECT_LE(text.find('\n', begin) - begin, 60) << text;
  EXPECT_NE(text.find("    strict 0.5000 [0.375, 0.625]  n 3 findings\n"), std::string::npos) << text;
}

TEST(Scorecard, tells_what_a_baseline_gets) {
  const Json summary =
      summary_with(Json::object({{"component_f1", scorecard_slot(0.25, 9).set("floor", 0.125)}}));
  EXPECT_NE(scorecard(summary).find("  floor (the baseline that was given), strict: component_f1 0.1250\n"),
            std::string::npos);
}

TEST(Scorecard, says_undefined_where_there_is_no_value) {
  const Json summary = summary_with(Json::object(
      {{"hit_rate",
        Json::object({{"value", Json()}, {"reason", "no finding"}, {"ci95", Json()}, {"n", 0}})}}));
  EXPECT_NE(scorecard(summary).find("hit_rate  undefined  0"), std::string::npos);
  EXPECT_NE(scorecard(summary).find("  undefined, no finding: hit_rate\n"), std::string::npos);
}

TEST(Scorecard, tells_what_the_reference_itself_gets) {
  const Json summary =
      summary_with(Json::object({{"component_f1", scorecard_slot(0.25, 9).set("ceiling", 0.375)}}));
  EXPECT_NE(scorecard(summary).find("component_f1 0.3750\n"), std::string::npos) << scorecard(summary);
}

TEST(Scorecard, tells_which_rearrangement_would_fit) {
  Json summary = summary_with(Json::object({{"hit_rate", scorecard_slot(0.5, 1)}}));
  summary.set("orientation", Json::object({{"transform", "flip x"},
                                           {"dice_as_is", 0.01},
                                           {"dice_transformed", 0.9},
                                           {"cases", Json::array({"a", "b"})}}));
  EXPECT_TRUE(
      scorecard(summary).ends_with("  orientation: 2 of 3 cases fit better under 'flip x': Dice would be "
                                   "0.9000 instead of 0.0100\n"));
}

}  // namespace
}  // namespace fiducial
