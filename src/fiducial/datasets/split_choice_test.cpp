#include "fiducial/datasets/split_choice.h"

#include <gtest/gtest.h>

namespace fiducial {
namespace {

using Otherwise = SplitChoice::Otherwise;

SplitChoice choice_of(std::vector<std::string> names, Otherwise otherwise = Otherwise::refused) {
  return {.place = "data", .names = std::move(names), .usual = {"test", "val"}, .otherwise = otherwise};
}

TEST(SplitChoice, takes_the_wanted_split_and_else_the_first_usual_one) {
  EXPECT_EQ(*chosen_split(choice_of({"train", "val", "test"}), "train"), "train");
  EXPECT_EQ(*chosen_split(choice_of({"train", "val", "test"}), {}), "test");
  EXPECT_EQ(*chosen_split(choice_of({"train", "val"}), {}), "val");
}

TEST(SplitChoice, refuses_a_wanted_split_that_is_not_there) {
  EXPECT_EQ(chosen_split(choice_of({"train", "val"}, Otherwise::the_first), "tset").error().text(),
            "data: no split \"tset\"; there is train, val");
}

TEST(SplitChoice, falls_back_only_as_far_as_it_may) {
  EXPECT_EQ(chosen_split(choice_of({"pilot"}), {}).error().text(),
            "data: no split \"test\"; choose one with --split: pilot");
  EXPECT_EQ(*chosen_split(choice_of({"pilot"}, Otherwise::the_only_one), {}), "pilot");
  EXPECT_FALSE(chosen_split(choice_of({"a", "b"}, Otherwise::the_only_one), {}).ok());
  EXPECT_EQ(*chosen_split(choice_of({"a", "b"}, Otherwise::the_first), {}), "a");
  EXPECT_FALSE(chosen_split(choice_of({}, Otherwise::the_first), {}).ok());
}

}  // namespace
}  // namespace fiducial
