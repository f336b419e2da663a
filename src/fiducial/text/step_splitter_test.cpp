#include "fiducial/text/step_splitter.h"

#include <gtest/gtest.h>

namespace fiducial {
namespace {

using Steps = std::vector<std::string>;

TEST(StepSplitter, cuts_at_sentence_ends_semicolons_and_lines_and_at_abbreviations) {
  EXPECT_EQ(split_steps("First. Second; third\n- Fourth! Fifth? e.g. sixth."),
            (Steps{"First.", "Second", "third", "Fourth!", "Fifth?", "e.g.", "sixth."}));
}

TEST(StepSplitter, leaves_numbers_whole_and_takes_bullets_off) {
  EXPECT_EQ(split_steps("A 3.5 cm mass. \u2022 bullet\n\n\n\u2022 b2"),
            (Steps{"A 3.5 cm mass.", "bullet", "b2"}));
  EXPECT_EQ(split_steps("a;b"), (Steps{"a;b"}));
}

TEST(StepSplitter, drops_a_lone_bullet_or_keeps_it_as_an_empty_step) {
  EXPECT_EQ(split_steps("one\n-\ntwo"), (Steps{"one", "two"}));
  EXPECT_EQ(split_steps("one\n-\ntwo", BulletOnly::keep_empty), (Steps{"one", "", "two"}));
  EXPECT_EQ(split_steps("one\n \ntwo", BulletOnly::keep_empty), (Steps{"one", "two"}));
}

TEST(StepSplitter, collapses_white_space_of_every_script) {
  EXPECT_EQ(split_steps(" a\u00A0\u3000 b.\u2003c "), (Steps{"a b.", "c"}));
  EXPECT_TRUE(split_steps(" \u3000\n").empty());
}

TEST(StepSplitter, gives_fifteen_steps_at_most) {
  std::string text;
  for (int i = 0; i < 40; ++i) text += "x. ";
  EXPECT_EQ(split_steps(text).size(), max_steps);
}

}  // namespace
}  // namespace fiducial
