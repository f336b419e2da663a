#include "fiducial/base/random.h"

#include <limits>
#include <map>

#include <gtest/gtest.h>

#include "fiducial/base/number_text.h"

namespace fiducial {
namespace {

TEST(Random, gives_these_first_values_on_every_machine_for_ever) {
  Random random(1);
  EXPECT_EQ(random.next(), 12966619160104079557U);
  EXPECT_EQ(random.next(), 9600361134598540522U);
  EXPECT_EQ(Random(0).next(), 11091344671253066420U);
  EXPECT_EQ(Random(1, "lungs").next(), 12482018283197995779U);
  EXPECT_EQ(Random(2).below(1000), 575U);
  EXPECT_EQ(Random(3).between(-50, 50), 41);
  EXPECT_EQ(shortest(Random(4).uniform()), "0.2634329583774936");
  EXPECT_EQ(shortest(Random(5).normal()), "0.9679751780746475");
}

TEST(Random, is_a_stream_of_its_own_for_every_name) {
  EXPECT_EQ(Random(1, "a").next(), Random(1, "a").next());
  EXPECT_NE(Random(1, "a").next(), Random(1, "b").next());
  EXPECT_NE(Random(1, "a").next(), Random(2, "a").next());
}

TEST(Random, draws_every_number_below_a_bound_about_equally_often) {
  Random random(6);
  std::map<std::uint64_t, int> seen;
  for (int i = 0; i < 7000; ++i) ++seen[random.below(7)];
  ASSERT_EQ(seen.size(), 7U);
  for (const auto& [value, times] : seen) {
    EXPECT_LT(value, 7U);
    EXPECT_NEAR(times, 1000, 150);
  }
}

TEST(Random, draws_both_ends_of_a_closed_range) {
  Random random(7);
  std::map<std::int64_t, int> seen;
  for (int i = 0; i < 300; ++i) ++seen[random.between(-1, 1)];
  EXPECT_EQ(seen.size(), 3U);
  EXPECT_EQ(seen.begin()->first, -1);
  EXPECT_EQ(random.between(5, 5), 5);
}

TEST(Random, draws_from_ranges_wider_than_half_of_all_integers) {
  constexpr std::int64_t most = std::numeric_limits<std::int64_t>::max();
  Random random(8);
  bool negative = false;
  bool positive = false;
  for (int i = 0; i < 100; ++i) (random.between(-most, most) < 0 ? negative : positive) = true;
  EXPECT_TRUE(negative && positive);
}

TEST(Random, stays_inside_the_half_open_unit_interval) {
  Random random(9);
  double sum = 0;
  for (int i = 0; i < 10000; ++i) {
    const double value = random.uniform();
    ASSERT_GE(value, 0);
    ASSERT_LT(value, 1);
    sum += value;
  }
  EXPECT_NEAR(sum / 10000, 0.5, 0.02);
  const double scaled = random.uniform(2, 3);
  EXPECT_TRUE(scaled >= 2 && scaled < 3);
}

TEST(Random, draws_normal_values_of_mean_zero_and_variance_one) {
  Random random(10);
  double sum = 0;
  double squares = 0;
  for (int i = 0; i < 20000; ++i) {
    const double value = random.normal();
    sum += value;
    squares += value * value;
  }
  EXPECT_NEAR(sum / 20000, 0, 0.03);
  EXPECT_NEAR(squares / 20000, 1, 0.04);
}

}  // namespace
}  // namespace fiducial
