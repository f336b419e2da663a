#include "fiducial/text/identifier_hints.h"

#include <gtest/gtest.h>

namespace fiducial {
namespace {

std::string only(std::string_view text) {
  const auto hints = identifier_hints(text);
  if (hints.size() != 1) return "found " + std::string(1, static_cast<char>('0' + hints.size()));
  return std::string(to_string(hints[0].kind)) + " " + hints[0].text;
}

TEST(IdentifierHints, find_dates_with_a_day_or_a_month) {
  EXPECT_EQ(only("Seen on 12/03/2014."), "date 12/03/2014");
  EXPECT_EQ(only("(2014-03-12)"), "date 2014-03-12");
  EXPECT_EQ(only("on 3rd March 2014 at"), "date 3rd March 2014");
  EXPECT_EQ(only("March 12, 2014"), "date March 12, 2014");
  EXPECT_EQ(only("since March 2014"), "date March 2014");
}

TEST(IdentifierHints, find_names_numbers_and_addresses) {
  EXPECT_EQ(only("Mrs. Anna Smith came"), "name Mrs. Anna Smith");
  EXPECT_EQ(only("Patient name: Miller"), "name name: Miller");
  EXPECT_EQ(only("MRN: 0012345"), "number MRN: 0012345");
  EXPECT_EQ(only("write to a.b@clinic.org"), "contact a.b@clinic.org");
  EXPECT_EQ(only("call +49 30 1234567 now"), "contact +49 30 1234567");
  EXPECT_EQ(only("Tel.: 030 1234567"), "contact Tel.: 030 1234567");
  EXPECT_EQ(only("at 555-123-4567."), "contact 555-123-4567");
}

TEST(IdentifierHints, tell_their_place_in_characters) {
  const auto hints = identifier_hints("Ü – 12.03.2014");
  ASSERT_EQ(hints.size(), 1U);
  EXPECT_EQ(hints[0].begin, 4U);
  EXPECT_EQ(hints[0].end, 14U);
}

TEST(IdentifierHints, leave_sizes_ages_and_years_alone) {
  for (const char* text :
       {"A 54-year-old man since 2010, 3.5 x 2.1 cm, L4-L5, T2 1.5", "may 12 times", "number 12 of",
        "doctor said", "MR Technique", "MS Plaques", "1.2.3.4.5", "45/67/2010", ""}) {
    EXPECT_TRUE(identifier_hints(text).empty()) << text;
  }
}

}  // namespace
}  // namespace fiducial
