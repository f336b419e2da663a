#include "fiducial/curate/cases/leak_judgement.h"

#include <gtest/gtest.h>

namespace fiducial {
namespace {

ExposedCase leaking_case() {
  return exposed_case(parse_json(R"({"history": "Known sarcoidosis, no gout.",
                                     "options": ["Sarcoidosis", "Gout", "Lymphoma"],
                                     "correct_answer": "A"})")
                          .value());
}

LeakJudgement judgement_of(const char* reply, bool strict = true) {
  return judged_leaks(parse_json(reply).value(), leaking_case(), strict);
}

std::vector<LabelMention> mentions_of(const ExposedCase& item) {
  std::vector<std::string> labels;
  for (const LetteredOption& option : item.options) labels.push_back(option.text);
  return label_mentions(item.history, labels, {});
}

TEST(ExposedCase, knows_the_key_and_its_text) {
  const ExposedCase item = leaking_case();
  EXPECT_EQ(item.key, "A");
  EXPECT_EQ(item.key_text, "Sarcoidosis");
}

TEST(LeakJudgement, objects_to_replies_that_break_the_schema) {
  EXPECT_EQ(judgement_of(R"({"has_leak": "yes"})").objection, "expected has_leak to be true or false");
  EXPECT_EQ(judgement_of(R"({"has_leak": true, "leaked_options": "A"})").objection,
            "expected leaked_options to be a list");
  EXPECT_EQ(judgement_of(R"({"has_leak": true, "evidence": ["x"]})").objection,
            "expected evidence to be a list of objects");
}

TEST(LeakJudgement, is_a_leak_only_with_an_option_that_exists) {
  EXPECT_TRUE(judgement_of(R"({"has_leak": true, "leaked_options": ["A"]})").has_leak);
  EXPECT_FALSE(judgement_of(R"({"has_leak": true, "leaked_options": ["Z"]})").has_leak);
  EXPECT_FALSE(judgement_of(R"({"has_leak": true})").has_leak);
  EXPECT_FALSE(judgement_of(R"({"has_leak": false, "leaked_options": ["A"]})").has_leak);
}

TEST(LeakJudgement, says_of_every_quote_whether_it_stands_where_it_should) {
  const LeakJudgement judge = judgement_of(R"({"has_leak": true, "leaked_options": ["A"], "evidence": [
      {"quote": "sarcoidosis", "start": 6, "end": 17},
      {"quote": "sarcoidosis", "start": 5, "end": 16},
      {"quote": "lupus", "start": 6, "end": 900},
      {"quote": "sarcoidosis"}]})");
  std::string verdicts;
  for (const Json& each : *judge.evidence.as_array())
    verdicts += *each.find("verbatim")->as_bool() ? "1" : "0";
  EXPECT_EQ(verdicts, "1000");
}

TEST(LeakJudgement, counts_places_in_characters_and_not_in_bytes) {
  const ExposedCase item = exposed_case(
      parse_json(R"({"history": "Morbus Sjögren syndrome", "options": ["Sjögren syndrome"]})").value());
  const Json reply = parse_json(R"({"has_leak": true, "leaked_options": ["A"],
                                    "evidence": [{"quote": "syndrome", "start": 15, "end": 23}]})")
                         .value();
  const LeakJudgement judge = judged_leaks(reply, item, true);
  EXPECT_TRUE(*judge.evidence.as_array()->front().find("verbatim")->as_bool());
}

TEST(LeaksBySearch, do_not_count_what_is_denied) {
  const ExposedCase item = leaking_case();
  const std::vector<LabelMention> mentions = mentions_of(item);
  EXPECT_TRUE(has_leak_by_search(mentions));
  EXPECT_EQ(leaks_by_search(mentions, item).letters, (std::vector<std::string>{"A"}));
}

TEST(LeaksBySearch, find_nothing_in_a_history_that_names_no_option) {
  const ExposedCase item =
      exposed_case(parse_json(R"({"history": "Dyspnea for two weeks.", "options": ["Gout"]})").value());
  EXPECT_FALSE(leaks_by_search(mentions_of(item), item).has_leak);
}

}  // namespace
}  // namespace fiducial
