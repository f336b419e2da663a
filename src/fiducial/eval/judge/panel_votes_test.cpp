#include "fiducial/eval/judge/panel_votes.h"

#include <gtest/gtest.h>

#include "fiducial/base/json_fields.h"

namespace fiducial {
namespace {

Json verdict(std::int64_t step, bool is_factual, const std::vector<std::string>& errors = {}) {
  return Json::object({{"step", step},
                       {"is_factual", is_factual},
                       {"is_critical", true},
                       {"explanation", "so"},
                       {"error_types", Json::strings(errors)}});
}

TEST(StepVotes, give_a_verdict_only_to_more_than_half_of_all_voters) {
  StepVotes votes(4);
  votes.add({verdict(1, true), verdict(2, false, {"Reasoning Err"})});
  votes.add({verdict(1, true), verdict(2, false, {"Reasoning Err", "Medical Knowledge Err"})});
  votes.add({verdict(1, false, {"Reasoning Err"}), verdict(2, false, {"Image Understanding Err"})});
  EXPECT_EQ(votes.steps(), 2U);
  const Json majority = votes.majority();
  ASSERT_EQ(majority.as_array()->size(), 1U);  // two of four are no majority
  const Json& check = majority.as_array()->front();
  EXPECT_EQ(integer_at(check, "step"), 2);
  EXPECT_EQ(strings_at(check, "error_types"), (std::vector<std::string>{"Reasoning Err"}));
  EXPECT_EQ(check.find("votes")->compact(), R"({"factual":0,"not_factual":3,"of":4})");
}

TEST(StepVotes, name_the_commonest_errors_where_none_has_a_majority) {
  StepVotes votes(2);
  votes.add({verdict(1, false, {"Reasoning Err"})});
  votes.add({verdict(1, false, {"Image Understanding Err"})});
  EXPECT_EQ(strings_at(votes.majority().as_array()->front(), "error_types"),
            (std::vector<std::string>{"Reasoning Err", "Image Understanding Err"}));
}

TEST(VoteTable, tells_how_far_voters_agree) {
  VoteTable table;
  for (const bool last : {false, true})
    table.add_voter(
        {{"a", {verdict(1, true), verdict(2, false)}}, {"b", {verdict(1, true), verdict(2, last)}}});
  const Json agreement = table.agreement({"x", "y"}, {.resamples = 100});
  EXPECT_EQ(integer_at(agreement, "steps"), 4);
  EXPECT_EQ(integer_at(agreement, "cases"), 2);
  const Json& pair = agreement.find("pairs")->as_array()->front();
  EXPECT_DOUBLE_EQ(*number_at(*pair.find("agreement"), "value"), 0.75);
  EXPECT_DOUBLE_EQ(*number_at(*pair.find("cohens_kappa"), "value"), 0.5);
}

}  // namespace
}  // namespace fiducial
