#include "fiducial/stats/mcnemar.h"

#include <gtest/gtest.h>

#include "fiducial/base/reference_values.h"

namespace fiducial {
namespace {

TEST(McNemar, is_one_where_no_case_tells_the_systems_apart) {
  const McNemar none;
  EXPECT_EQ(none.exact_p(), 1);
  EXPECT_EQ(none.asymptotic_p(), 1);
  EXPECT_EQ(none.asymptotic_corrected_p(), 1);
  EXPECT_EQ((McNemar{4, 4}).exact_p(), 1);
}

TEST(McNemar, counts_the_tail_of_a_fair_coin) {
  EXPECT_NEAR((McNemar{5, 0}).exact_p(), 2.0 / 32, 1e-15);
  EXPECT_NEAR((McNemar{1, 4}).exact_p(), 2.0 * 6 / 32, 1e-15);
  EXPECT_EQ((McNemar{3, 9}).exact_p(), (McNemar{9, 3}).exact_p());
}

TEST(McNemar, has_the_same_p_values_as_statsmodels) {
  const Json reference = reference_values("agreement.json");
  for (const Json& each : *reference.find("mcnemar")->as_array()) {
    const McNemar test{*each.find("only_first")->as_integer(), *each.find("only_second")->as_integer()};
    const auto near = [&](const char* key, double found) {
      const double expected = *each.find(key)->as_number();
      EXPECT_NEAR(found, expected, 1e-12 * expected + 1e-300) << each.compact() << " " << key;
    };
    near("exact", test.exact_p());
    near("asymptotic", test.asymptotic_p());
    near("asymptotic_corrected", test.asymptotic_corrected_p());
  }
}

}  // namespace
}  // namespace fiducial
