#include "fiducial/server/headline.h"

#include <gtest/gtest.h>

namespace fiducial {
namespace {

Json summary_of(const char* task) {
  const auto value = [](Json number) { return Json::object({{"value", std::move(number)}}); };
  return Json::object(
      {{"task", task},
       {"metrics", Json::object({{"fact_precision", value(1.0)}, {"grounded_f1", value(0.25)}})}});
}

TEST(Headline, is_what_the_task_says_and_else_the_first_value) {
  EXPECT_EQ(headline_of(summary_of("grounded_reports")).slot, "grounded_f1");
  EXPECT_EQ(headline_of(summary_of("region_tables")).slot, "fact_precision");
  EXPECT_EQ(headline_of(summary_of("of another version")).slot, "fact_precision");
  EXPECT_EQ(headline_of(Json::Object{}).value, nullptr);
}

TEST(Headline, passes_over_a_value_that_is_not_defined) {
  Json summary = summary_of("grounded_reports");
  Json slots = *summary.find("metrics");
  slots.set("grounded_f1", Json::object({{"value", Json()}}));
  summary.set("metrics", slots);
  EXPECT_EQ(headline_of(summary).slot, "fact_precision");
}

}  // namespace
}  // namespace fiducial
