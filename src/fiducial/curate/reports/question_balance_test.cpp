#include "fiducial/curate/reports/question_balance.h"

#include <algorithm>

#include <gtest/gtest.h>

namespace fiducial {
namespace {

QuestionBalance skewed() {
  QuestionBalance balance;
  for (int i = 0; i < 90; ++i) balance.add("location\nnodule\n", "right upper lobe");
  for (int i = 0; i < 6; ++i) balance.add("location\nnodule\n", "left upper lobe");
  for (int i = 0; i < 4; ++i) balance.add("location\nnodule\n", "left lower lobe");
  for (int i = 0; i < 50; ++i) balance.add("location\nhiatal hernia\n", "esophagus");
  return balance;
}

TEST(QuestionBalance, keeps_no_answer_that_could_be_guessed) {
  const QuestionBalance balance = skewed();
  PythonRandom random(7);
  const std::vector<bool> chosen = balance.chosen(random);
  const GuessedShare before = balance.guessed(nullptr).at("location");
  const GuessedShare after = balance.guessed(&chosen).at("location");
  EXPECT_GT(before.best_guess, 0.9);
  EXPECT_GT(after.questions, 10);
  EXPECT_LE(after.best_guess, after.chance + QuestionBalance::most_above_chance);
}

TEST(QuestionBalance, asks_nothing_whose_answer_is_always_the_same) {
  const QuestionBalance balance = skewed();
  PythonRandom random(7);
  const std::vector<bool> chosen = balance.chosen(random);
  EXPECT_TRUE(std::none_of(chosen.begin() + 100, chosen.end(), [](bool asked) { return asked; }));
}

TEST(QuestionBalance, draws_the_same_questions_for_one_seed) {
  PythonRandom one(3);
  PythonRandom other(3);
  EXPECT_EQ(skewed().chosen(one), skewed().chosen(other));
}

TEST(QuestionBalance, keeps_all_of_answers_that_are_as_frequent) {
  EXPECT_EQ(most_of_an_answer({5, 5, 5}, 0.04), 5U);
  EXPECT_EQ(most_of_an_answer({1, 1}, 0.0), 1U);
  EXPECT_EQ(most_of_an_answer({7}, 0.04), 0U);
}

}  // namespace
}  // namespace fiducial
