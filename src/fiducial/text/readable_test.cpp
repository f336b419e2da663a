#include "fiducial/text/readable.h"

#include <gtest/gtest.h>

namespace fiducial {
namespace {

TEST(GroupedDigits, come_in_threes) {
  EXPECT_EQ(grouped_digits(0), "0");
  EXPECT_EQ(grouped_digits(999), "999");
  EXPECT_EQ(grouped_digits(1000), "1,000");
  EXPECT_EQ(grouped_digits(-1234567), "-1,234,567");
  EXPECT_EQ(grouped_digits(-123), "-123");
}

}  // namespace
}  // namespace fiducial
