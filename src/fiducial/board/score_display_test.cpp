#include "fiducial/board/score_display.h"

#include <gtest/gtest.h>

namespace fiducial {
namespace {

std::string share(int hits, Shortening shortening) { return displayed(hits / 226.0, {shortening, 3}); }

TEST(ScoreDisplay, truncates_hit_rates_as_the_first_board_does) {
  const std::vector<std::pair<int, std::string>> published = {{104, "0.460"}, {117, "0.517"}, {139, "0.615"},
                                                              {136, "0.601"}, {84, "0.371"},  {107, "0.473"},
                                                              {15, "0.066"}};
  for (const auto& [hits, text] : published) EXPECT_EQ(share(hits, Shortening::truncate), text);
}

TEST(ScoreDisplay, would_show_other_hit_rates_when_rounding) {
  EXPECT_EQ(share(117, Shortening::round), "0.518");
  EXPECT_EQ(share(136, Shortening::round), "0.602");
  EXPECT_EQ(share(84, Shortening::round), "0.372");
  EXPECT_EQ(share(145, Shortening::round), "0.642");
}

TEST(ScoreDisplay, keeps_every_value_of_three_digits_when_truncating) {
  for (int thousandths = 0; thousandths <= 1000; ++thousandths) {
    const double value = thousandths / 1000.0;
    EXPECT_EQ(displayed(value, {Shortening::truncate, 3}), displayed(value, {Shortening::round, 3}));
  }
}

TEST(ScoreDisplay, truncates_towards_zero) {
  EXPECT_EQ(displayed(1.0 / 6, {Shortening::truncate, 3}), "0.166");
  EXPECT_EQ(displayed(-0.9999, {Shortening::truncate, 3}), "-0.999");
  EXPECT_EQ(displayed(8.17e-11, {Shortening::truncate, 3}), "0.000");
  EXPECT_EQ(displayed(1, {Shortening::truncate, 3}), "1.000");
  EXPECT_EQ(displayed(0.97, {Shortening::truncate, 0}), "0");
}

TEST(ScoreDisplay, shows_values_as_given_when_not_shortened) {
  EXPECT_EQ(displayed(0.3802, {Shortening::none, 3}), "0.3802");
}

TEST(ScoreDisplay, knows_the_rule_of_a_board_by_its_name) {
  EXPECT_EQ(display_rule_of("rexrank_v1_test100"), (DisplayRule{Shortening::truncate, 3}));
  EXPECT_EQ(display_rule_of("miccai2026_public150_2026-07-22"), (DisplayRule{Shortening::round, 3}));
}

TEST(ScoreDisplay, refuses_an_unknown_rule) {
  EXPECT_EQ(parse_shortening("ceil").error().text(),
            "no display rule \"ceil\"; there is truncate, round, none");
}

}  // namespace
}  // namespace fiducial
