#include "fiducial/http/byte_range.h"

#include <gtest/gtest.h>

namespace fiducial::http {
namespace {

using Kind = RangeWish::Kind;

TEST(ParseRange, takes_first_and_last_byte) {
  const RangeWish wish = parse_range("bytes=10-19", 100);
  ASSERT_EQ(wish.kind, Kind::part);
  EXPECT_EQ(wish.part, (ByteRange{.first = 10, .bytes = 10}));
}

TEST(ParseRange, ends_with_the_file) {
  EXPECT_EQ(parse_range("bytes=90-", 100).part, (ByteRange{.first = 90, .bytes = 10}));
  EXPECT_EQ(parse_range("bytes=90-18446744073709551615", 100).part, (ByteRange{.first = 90, .bytes = 10}));
}

TEST(ParseRange, takes_the_last_bytes) {
  EXPECT_EQ(parse_range("bytes=-30", 100).part, (ByteRange{.first = 70, .bytes = 30}));
  EXPECT_EQ(parse_range("bytes=-300", 100).part, (ByteRange{.first = 0, .bytes = 100}));
}

TEST(ParseRange, refuses_what_lies_behind_the_end_and_lists_of_ranges) {
  for (const char* field : {"bytes=100-", "bytes=100-200", "bytes=-0", "bytes=0-1,5-6"}) {
    EXPECT_EQ(parse_range(field, 100).kind, Kind::unsatisfiable) << field;
  }
  EXPECT_EQ(parse_range("bytes=0-0", 0).kind, Kind::unsatisfiable);
}

TEST(ParseRange, gives_the_whole_for_what_is_no_range) {
  for (const char* field :
       {"", "bytes", "bytes=", "bytes=5-2", "lines=1-2", "bytes=a-b", "bytes=-", "bytes=+1-2"}) {
    EXPECT_EQ(parse_range(field, 100).kind, Kind::whole) << field;
  }
}

}  // namespace
}  // namespace fiducial::http
