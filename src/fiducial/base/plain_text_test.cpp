#include "fiducial/base/plain_text.h"

#include <set>
#include <vector>

#include <gtest/gtest.h>

#include "fiducial/base/number_text.h"

namespace fiducial {
namespace {

TEST(Joined, puts_the_separator_between_texts_only) {
  EXPECT_EQ(joined(std::vector<std::string>{"heart", "lung", "liver"}), "heart, lung, liver");
  EXPECT_EQ(joined(std::vector<std::string>{"heart"}), "heart");
  EXPECT_EQ(joined(std::vector<std::string>{}), "");
}

TEST(Joined, keeps_the_place_of_an_empty_text) {
  EXPECT_EQ(joined(std::vector<std::string>{"", "b", ""}, ";"), ";b;");
}

TEST(Joined, takes_any_list_of_texts) {
  EXPECT_EQ(joined(std::set<std::string_view>{"b", "a"}, " "), "a b");
  EXPECT_EQ(joined(std::vector<const char*>{"x", "y"}, "-"), "x-y");
}

TEST(Joined, writes_each_item_as_told) {
  EXPECT_EQ(joined(std::vector<int>{3, 1, 2}, " + ", [](int each) { return decimal(each); }), "3 + 1 + 2");
}

TEST(AppendJoined, separates_from_what_is_there) {
  std::string out;
  append_joined(out, "a");
  append_joined(out, "b");
  append_joined(out, "c", "; ");
  EXPECT_EQ(out, "a, b; c");
}

TEST(Trimmed, takes_white_space_off_both_ends) {
  EXPECT_EQ(trimmed(" \t\r\n\v\fleft lung \n"), "left lung");
  EXPECT_EQ(trimmed(" \n"), "");
  EXPECT_EQ(trimmed(""), "");
}

TEST(Trimmed, takes_off_the_given_characters_only) {
  EXPECT_EQ(trimmed("--a b- ", "-"), "a b- ");
  EXPECT_EQ(trimmed(std::string_view(" 1.5\0", 5), std::string_view(" \0", 2)), "1.5");
}

TEST(IsBlank, is_true_of_white_space_and_of_nothing) {
  EXPECT_TRUE(is_blank(""));
  EXPECT_TRUE(is_blank(" \t\r\n"));
  EXPECT_FALSE(is_blank(" . "));
}

}  // namespace
}  // namespace fiducial
