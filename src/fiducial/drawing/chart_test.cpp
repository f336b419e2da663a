#include "fiducial/drawing/chart.h"

#include <gtest/gtest.h>

#include "fiducial/drawing/svg.h"

namespace fiducial {
namespace {

std::size_t count_of(const std::string& text, const std::string& part) {
  std::size_t out = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++out;
  return out;
}

BarChart example() {
  return {.title = "Sizes",
          .value_title = "share of findings",
          .unit = " %",
          .labels = {"a <b>", "c"},
          .series = {{"train", {{50, "1 of 2"}, {25, ""}}}, {"test", {{0, ""}, {100, "all"}}}}};
}

TEST(Chart, divides_an_axis_by_round_steps) {
  EXPECT_EQ(axis_values(100, 5), (std::vector<double>{0, 20, 40, 60, 80, 100}));
  EXPECT_EQ(axis_values(0.29, 3), (std::vector<double>{0, 0.1, 0.2, 0.3}));
  EXPECT_EQ(axis_values(0, 5), (std::vector<double>{0, 1}));
  for (double greatest = 0.01; greatest < 1e6; greatest *= 1.37) {
    const auto values = axis_values(greatest, 5);
    EXPECT_GE(values.back(), greatest * 0.999999);
    EXPECT_LE(values.size(), 8U);
  }
}

TEST(Chart, draws_every_bar_with_its_tooltip) {
  for (const std::string& text : {horizontal_bar_svg(example()), vertical_bar_svg(example())}) {
    EXPECT_EQ(count_of(text, "class=\"series-0\""), 3U);  // two bars and the legend
    EXPECT_EQ(count_of(text, "class=\"series-1\""), 3U);
    EXPECT_NE(text.find("<title>1 of 2</title>"), std::string::npos);
    EXPECT_NE(text.find("100 %"), std::string::npos);
  }
}

TEST(Chart, escapes_what_it_writes) {
  const std::string text = horizontal_bar_svg(example());
  EXPECT_NE(text.find("a &lt;b&gt;"), std::string::npos);
  EXPECT_EQ(text.find("<b>"), std::string::npos);
}

TEST(Chart, survives_nothing_to_draw) {
  EXPECT_NE(vertical_bar_svg({}).find("</svg>"), std::string::npos);
  EXPECT_NE(horizontal_bar_svg({}).find("</svg>"), std::string::npos);
}

}  // namespace
}  // namespace fiducial
