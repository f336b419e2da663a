#include "fiducial/text/reasoning_steps.h"

#include <gtest/gtest.h>

namespace fiducial {
namespace {

using Steps = std::vector<std::string>;

TEST(ReasoningSteps, are_cut_as_the_published_fallback_cuts_them) {
  EXPECT_EQ(split_reasoning_steps("First. Second; third\n- Fourth! Fifth? e.g. sixth.", true),
            (Steps{"First.", "Second", "third", "Fourth!", "Fifth?", "e.g.", "sixth."}));
  EXPECT_EQ(split_reasoning_steps("A 3.5 cm mass. \xE2\x80\xA2 bullet\n\n\n\xE2\x80\xA2 b2", true),
            (Steps{"A 3.5 cm mass.", "bullet", "b2"}));
}

TEST(ReasoningSteps, of_a_bullet_alone_are_empty_only_by_the_published_rule) {
  EXPECT_EQ(split_reasoning_steps("One.\n-\nTwo.", true), (Steps{"One.", "", "Two."}));
  EXPECT_EQ(split_reasoning_steps("One.\n-\nTwo.", false), (Steps{"One.", "Two."}));
  EXPECT_TRUE(split_reasoning_steps(" \n ", true).empty());
}

TEST(ReasoningSteps, are_at_most_fifteen) {
  std::string text;
  for (int i = 0; i < 40; ++i) text += "a. ";
  EXPECT_EQ(split_reasoning_steps(text, true).size(), 15U);
}

}  // namespace
}  // namespace fiducial
