#include "fiducial/pages/strip_plot.h"

#include <gtest/gtest.h>

namespace fiducial {
namespace {

bool has(const Html& html, const char* text) { return html.markup().find(text) != std::string::npos; }

TEST(StripPlot, names_every_dot_and_writes_the_names_of_the_extremes) {
  const Strip strip{
      .label = "nodules",
      .n = 3,
      .dots = {{0.1, "low", "low: 0.100"}, {0.5, "mid", "mid: 0.500"}, {0.9, "top", "top: 0.900"}},
      .mean = {},
      .other_mean = {}};
  const Html plot = strip_plot("Dice", {strip});
  for (const char* part : {"<title>mid: 0.500</title>", ">low</text>", ">top</text>", "cx=\"50%\""})
    EXPECT_TRUE(has(plot, part)) << part;
  EXPECT_FALSE(has(plot, ">mid</text>"));
}

TEST(StripPlot, escapes_labels_and_names) {
  const Strip strip{
      .label = "<xss>", .n = 1, .dots = {{0.1, "<xss>", "<xss>"}}, .mean = {}, .other_mean = {}};
  EXPECT_FALSE(has(strip_plot("\"<xss>", {strip}), "<xss"));
}

TEST(StripPlot, keeps_values_on_the_axis) {
  ReportedValue mean;
  mean.value = 1.5;
  const Strip strip{.label = "", .n = 1, .dots = {{-1, "", ""}}, .mean = mean, .other_mean = {}};
  const Html plot = strip_plot("", {strip});
  EXPECT_TRUE(has(plot, "cx=\"0%\""));
  EXPECT_TRUE(has(plot, "x=\"100%\" y=\"20\"><path class=\"mean\""));
}

}  // namespace
}  // namespace fiducial
