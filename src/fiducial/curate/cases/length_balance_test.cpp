#include "fiducial/curate/cases/length_balance.h"

#include <map>

#include <gtest/gtest.h>

namespace fiducial {
namespace {

Result<LengthQuestion> question_from(const char* item) { return length_question(parse_json(item).value()); }

TEST(LengthQuestion, tells_distractors_that_are_longer_than_the_key_from_the_others) {
  const LengthQuestion question =
      question_from(R"({"options": ["gout", "sarcoid", "flu", "lupus", "tb"], "correct_answer": "A"})")
          .value();
  EXPECT_EQ(question.key, "gout");
  EXPECT_EQ(question.longer, (std::vector<std::string>{"sarcoid", "lupus"}));
  EXPECT_EQ(question.shorter, (std::vector<std::string>{"flu", "tb"}));
}

TEST(LengthQuestion, counts_characters_and_not_bytes) {
  const LengthQuestion question =
      question_from(R"({"options": ["abcd", "äöü", "x", "y", "z"], "correct_answer": "A"})").value();
  EXPECT_TRUE(question.longer.empty());
}

TEST(LengthQuestion, refuses_a_case_without_a_key_or_without_four_other_texts) {
  EXPECT_EQ(question_from(R"({"options": ["a", "b"], "correct_answer": "Z"})").error().message(),
            "key_unknown");
  EXPECT_EQ(
      question_from(R"({"options": ["a", "b", "B", "b.", "c"], "correct_answer": "A"})").error().message(),
      "too_few_options");
}

TEST(Distractors, are_four_with_as_many_longer_ones_as_can_be_had) {
  const LengthQuestion question{.longer = {"l1", "l2"}, .shorter = {"s1", "s2", "s3"}, .key = "k"};
  for (std::size_t wanted = 0; wanted <= 4; ++wanted) {
    PythonRandom random(wanted);
    std::size_t longer = 0;
    const std::vector<std::string> chosen = distractors(question, wanted, random);
    for (const std::string& each : chosen) longer += each.starts_with('l') ? 1U : 0U;
    EXPECT_EQ(chosen.size(), 4U);
    // At least one: there are only three others. At most two: there are no more.
    EXPECT_EQ(longer, std::clamp<std::size_t>(wanted, 1, 2)) << wanted;
  }
}

TEST(LengthTargets, spread_evenly_where_every_question_can_have_any_number) {
  const LengthQuestion free{.longer = {"1", "2", "3", "4"}, .shorter = {"5", "6", "7", "8"}, .key = "k"};
  PythonRandom random(5);
  std::map<std::size_t, int> counts;
  for (const std::size_t target : length_targets(std::vector<LengthQuestion>(50, free), random))
    ++counts[target];
  for (std::size_t rank = 0; rank < options_wanted; ++rank) EXPECT_EQ(counts[rank], 10) << rank;
}

TEST(LengthTargets, let_questions_with_one_choice_choose_first) {
  const LengthQuestion free{.longer = {"1", "2", "3", "4"}, .shorter = {"5", "6", "7", "8"}, .key = "k"};
  const LengthQuestion only_shorter{.longer = {}, .shorter = {"5", "6", "7", "8"}, .key = "k"};
  std::vector<LengthQuestion> questions(8, free);
  questions.insert(questions.end(), 2, only_shorter);
  PythonRandom random(5);
  const std::vector<std::size_t> targets = length_targets(questions, random);
  EXPECT_EQ(targets[8], 0U);
  EXPECT_EQ(targets[9], 0U);
  // The two fill the share of 0, so that none of the others has to.
  for (std::size_t i = 0; i < 8; ++i) EXPECT_GT(targets[i], 0U);
}

TEST(KeyIsLongest, needs_more_characters_than_every_other_option) {
  EXPECT_TRUE(key_is_longest({.options = {"abc", "ab", "a"}, .key = 0}));
  EXPECT_FALSE(key_is_longest({.options = {"abc", "xyz", "a"}, .key = 0}));
  EXPECT_FALSE(key_is_longest({.options = {"abc", "ab", "a"}, .key = 1}));
}

}  // namespace
}  // namespace fiducial
