#include "fiducial/eval/private_outputs.h"

#include <gtest/gtest.h>

namespace fiducial {
namespace {

Json remark(const char* name, const char* code) {
  return Json::object({{"case", name}, {"code", code}, {"text", std::string("about ") + name}});
}

Json group_of(int cases) {
  return Json::object({{"dice_per_case", Json::object({{"n", cases}, {"n_undefined", 0}})}});
}

Json example_summary() {
  return Json::object(
      {{"groups",
        Json::object(
            {{"category", Json::object({{"2a", group_of(4)}, {"2b", group_of(3)}, {"2d", group_of(5)}})}})},
       {"orientation",
        Json::object({{"transform", "flip x"}, {"cases", Json::array({"secret_1", "secret_2"})}})},
       {"remarks", Json::array({remark("secret_1", "failed"), remark("secret_2", "missing"),
                                remark("secret_3", "failed")})}});
}

TEST(PrivateSummary, names_no_case) {
  EXPECT_EQ(private_summary(example_summary()).compact().find("secret"), std::string::npos);
}

TEST(PrivateSummary, does_not_tell_where_the_published_scorer_stops) {
  const Json stopped = Json::object(
      {{"hit_rate", Json::object({{"n", 9}, {"reason", "the published scorer stops at secret_1: bad"}})},
       {"matched_dice", Json::object({{"n", 9}, {"reason", "no matched entity"}})}});
  const Json summary = private_summary(
      Json::object({{"official", stopped},
                    {"official_groups", Json::object({{"category", Json::object({{"2d", stopped}})}})}}));
  EXPECT_EQ(summary.compact().find("secret"), std::string::npos);
  EXPECT_EQ(*summary.find("official")->find("hit_rate")->find("reason")->as_string(),
            "the published scorer stops at a prediction it cannot read");
  EXPECT_EQ(*summary.find("official")->find("matched_dice")->find("reason")->as_string(),
            "no matched entity");
  EXPECT_NE(summary.find("official_groups")->find("category")->find("2d"), nullptr);
}

TEST(PrivateSummary, still_counts_remarks_and_turned_cases) {
  const Json summary = private_summary(example_summary());
  const Json::Array& remarks = *summary.find("remarks")->as_array();
  ASSERT_EQ(remarks.size(), 2U);
  EXPECT_EQ(*remarks[0].find("code")->as_string(), "failed");
  EXPECT_EQ(*remarks[0].find("text")->as_string(), "2 in all");
  EXPECT_EQ(summary.find("orientation")->find("cases")->as_array()->size(), 2U);
}

TEST(PrivateSummary, leaves_out_groups_of_few_cases) {
  const Json summary = private_summary(example_summary());
  const Json& categories = *summary.find("groups")->find("category");
  EXPECT_EQ(categories.find("2a"), nullptr);
  EXPECT_NE(categories.find("2d"), nullptr);
}

TEST(PrivateSummary, leaves_out_a_larger_group_when_the_small_one_could_be_worked_out) {
  const Json groups = Json::object({{"f", group_of(4)}, {"m", group_of(20)}, {"unknown", group_of(90)}});
  const Json summary =
      private_summary(Json::object({{"groups", Json::object({{"sex", groups}, {"age", Json::object({})}})}}));
  const Json& told = *summary.find("groups")->find("sex");
  EXPECT_EQ(told.find("f"), nullptr);
  EXPECT_EQ(told.find("m"), nullptr);
  EXPECT_NE(told.find("unknown"), nullptr);
}

TEST(PrivatePlan, holds_no_file) {
  const Json plan = Json::object({{"seed", 0}, {"files", Json::array({Json::object({{"case", "secret"}})})}});
  EXPECT_EQ(private_plan(plan).compact(), R"({"seed":0,"files":[]})");
}

}  // namespace
}  // namespace fiducial
