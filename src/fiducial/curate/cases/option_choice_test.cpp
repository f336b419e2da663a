#include "fiducial/curate/cases/option_choice.h"

#include <algorithm>

#include <gtest/gtest.h>

#include "fiducial/curate/cases/option_cropping.h"

namespace fiducial {
namespace {

Question asked(const char* item) { return question_of(parse_json(item).value()); }

Question of_eight(const char* more) {
  return asked((std::string(R"({"options": {"A": "a", "B": "b", "C": "c", "D": "d", "E": "e", "F": "f",
                                "G": "g", "H": "h"}, )") +
                more + "}")
                   .c_str());
}

TEST(OptionChoice, finds_the_key_by_its_letter_before_its_text) {
  const Question question = of_eight(R"("correct_answer": "b", "correct_answer_text": "c")");
  EXPECT_EQ(question.key, 1U);
}

TEST(OptionChoice, finds_the_key_by_its_text_in_any_case_and_spacing) {
  EXPECT_EQ(asked(R"({"options": ["Acute  Gout", "x"], "correct_answer": " acute gout "})").key, 0U);
  EXPECT_EQ(asked(R"({"options": ["x", "y"], "correct_answer_text": "Y"})").key, 1U);
  EXPECT_EQ(asked(R"({"options": ["x", "y"], "correct_answer_text": "z"})").key, std::nullopt);
}

TEST(OptionChoice, takes_the_options_of_a_generator_where_there_are_no_others) {
  const Question question = asked(R"({"options": [], "gpt_options": ["x", "y"], "gt_letter": "B"})");
  EXPECT_EQ(question.field, "gpt_options");
  EXPECT_EQ(question.key, 1U);
}

TEST(OptionChoice, takes_a_choice_for_wrong_where_it_is_not_the_key_and_not_called_right) {
  EXPECT_EQ(of_eight(R"("gt_letter": "A", "parsed_answer_letter": "c")").wrong_choice, 2U);
  EXPECT_EQ(of_eight(R"("gt_letter": "A", "parsed_answer_letter": "a")").wrong_choice, std::nullopt);
  EXPECT_EQ(of_eight(R"("gt_letter": "A", "answer": "c", "is_correct": true)").wrong_choice, std::nullopt);
  EXPECT_EQ(of_eight(R"("gt_letter": "A", "raw_output": {"answer": "D"})").wrong_choice, 3U);
}

TEST(OptionChoice, keeps_five_in_their_order_with_the_key_and_the_wrong_choice) {
  const Question question = of_eight(R"("gt_letter": "H", "parsed_answer_letter": "G")");
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    PythonRandom random(seed);
    const std::vector<std::size_t> kept = kept_options(question, true, random);
    ASSERT_EQ(kept.size(), options_wanted);
    EXPECT_TRUE(std::is_sorted(kept.begin(), kept.end()));
    EXPECT_EQ(kept[4], 7U);
    EXPECT_EQ(kept[3], 6U);
  }
}

TEST(OptionChoice, draws_every_other_option_at_some_seed) {
  const Question question = of_eight(R"("gt_letter": "A")");
  std::vector<bool> drawn(8);
  for (std::uint64_t seed = 0; seed < 50; ++seed) {
    PythonRandom random(seed);
    for (const std::size_t at : kept_options(question, true, random)) drawn[at] = true;
  }
  EXPECT_EQ(std::count(drawn.begin(), drawn.end(), true), 8);
}

TEST(OptionChoice, keeps_no_two_that_read_the_same_where_they_must_differ) {
  const Question question = asked(R"({"options": ["Key", "key", "KEY ", "a", "A", "b"], "gt_letter": "A"})");
  PythonRandom random(1);
  const std::vector<std::size_t> kept = kept_options(question, true, random);
  EXPECT_EQ(kept, (std::vector<std::size_t>{0, 3, 5}));
  EXPECT_FALSE(has_equal_texts(question, kept));
  EXPECT_TRUE(has_equal_texts(question, {0, 1}));
  EXPECT_EQ(kept_options(question, false, random).size(), options_wanted);
}

}  // namespace
}  // namespace fiducial
