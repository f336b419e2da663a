#include "fiducial/base/number_text.h"

#include <bit>
#include <clocale>
#include <cmath>
#include <limits>

#include <gtest/gtest.h>

#include "fiducial/base/random.h"

namespace fiducial {
namespace {

TEST(Decimal, writes_the_extremes_of_every_width) {
  EXPECT_EQ(decimal(std::numeric_limits<std::int64_t>::min()), "-9223372036854775808");
  EXPECT_EQ(decimal(std::numeric_limits<std::uint64_t>::max()), "18446744073709551615");
  EXPECT_EQ(decimal(std::int8_t{-128}), "-128");
  EXPECT_EQ(decimal(std::uint8_t{255}), "255");
  EXPECT_EQ(decimal(0), "0");
}

TEST(Shortest, is_the_shortest_text_of_a_double) {
  EXPECT_EQ(shortest(0.1), "0.1");
  EXPECT_EQ(shortest(1.0), "1");
  EXPECT_EQ(shortest(-0.0), "-0");
  EXPECT_EQ(shortest(1.0 / 3), "0.3333333333333333");
  EXPECT_EQ(shortest(1e300), "1e+300");
  EXPECT_EQ(shortest(5e-324), "5e-324");
}

TEST(Shortest, spells_out_values_that_are_no_numbers) {
  EXPECT_EQ(shortest(std::numeric_limits<double>::quiet_NaN()), "nan");
  EXPECT_EQ(shortest(-std::numeric_limits<double>::infinity()), "-inf");
}

TEST(Shortest, reads_back_as_the_same_double) {
  Random random(1);
  for (int i = 0; i < 20000; ++i) {
    const auto value = std::bit_cast<double>(random.next());
    if (!std::isfinite(value)) continue;
    ASSERT_EQ(parse_double(shortest(value)), value) << shortest(value);
  }
}

TEST(Fixed, has_the_asked_number_of_digits) {
  EXPECT_EQ(fixed(2.0 / 3, 3), "0.667");
  EXPECT_EQ(fixed(-1.0, 2), "-1.00");
  EXPECT_EQ(fixed(12.5, 0), "12");
  EXPECT_EQ(fixed(std::numeric_limits<double>::max(), 3).size(), 309U + 4U);
}

TEST(ParseInteger, takes_the_whole_text_or_nothing) {
  EXPECT_EQ(parse_integer("-9223372036854775808"), std::numeric_limits<std::int64_t>::min());
  EXPECT_EQ(parse_integer("007"), 7);
  for (const char* text : {"", " 1", "1 ", "+1", "1.0", "0x10", "9223372036854775808", "--1", "one"}) {
    EXPECT_EQ(parse_integer(text), std::nullopt) << text;
  }
}

TEST(ParseUnsigned, takes_the_whole_text_or_nothing) {
  EXPECT_EQ(parse_unsigned("18446744073709551615"), std::numeric_limits<std::uint64_t>::max());
  for (const char* text : {"", " 1", "-1", "1.0", "18446744073709551616"}) {
    EXPECT_EQ(parse_unsigned(text), std::nullopt) << text;
  }
}

TEST(ParseDouble, takes_the_whole_text_or_nothing) {
  EXPECT_EQ(parse_double("1e3"), 1000.0);
  EXPECT_EQ(parse_double("-.5"), -0.5);
  for (const char* text : {"", " 1", "1 ", "+1", "1,5", "1e", "1e999", "0x1p3", "one"}) {
    EXPECT_EQ(parse_double(text), std::nullopt) << text;
  }
}

TEST(NumberText, writes_shares_as_percents) {
  EXPECT_EQ(percent_text(0.123), "12.3 %");
  EXPECT_EQ(percent_text(1.0, 0), "100 %");
  EXPECT_EQ(percent_text(1, 3, 2), "33.33 %");
  EXPECT_EQ(percent_text(5, 0, 1), "0.0 %");
}

TEST(NumberText, does_not_depend_on_the_locale) {
  const std::string before = std::setlocale(LC_ALL, nullptr);
  for (const char* name : {"de_DE.UTF-8", "fr_FR.UTF-8", "C.UTF-8"}) {
    if (std::setlocale(LC_ALL, name) == nullptr) continue;
    EXPECT_EQ(shortest(1.5), "1.5");
    EXPECT_EQ(fixed(1234.5, 1), "1234.5");
    EXPECT_EQ(parse_double("1.5"), 1.5);
  }
  std::setlocale(LC_ALL, before.c_str());
}

}  // namespace
}  // namespace fiducial
