#include "fiducial/base/line_reader.h"

#include <vector>

#include <gtest/gtest.h>

namespace fiducial {
namespace {

std::vector<std::string> lines_of(std::string_view text) {
  MemoryStream stream(as_bytes(text));
  LineReader reader(stream, 1 << 20);
  std::vector<std::string> out;
  while (true) {
    const auto line = reader.next();
    if (!line.ok() || !*line) return out;
    out.emplace_back(**line);
  }
}

TEST(LineReader, splits_at_line_feeds_and_drops_carriage_returns) {
  EXPECT_EQ(lines_of("a\r\nb\n\nc\rd"), (std::vector<std::string>{"a", "b", "", "c\rd"}));
}

TEST(LineReader, gives_no_line_after_the_last_line_feed) {
  EXPECT_EQ(lines_of("a\n"), std::vector<std::string>{"a"});
  EXPECT_TRUE(lines_of("").empty());
}

TEST(LineReader, keeps_other_separators_inside_a_line) {
  const std::string text =
      "a\xe2\x80\xa8"
      "b\x0b\x0c\xc2\x85"
      "c";
  EXPECT_EQ(lines_of(text), std::vector<std::string>{text});
}

TEST(LineReader, skips_a_byte_order_mark_once) {
  EXPECT_EQ(lines_of("\xef\xbb\xbf"
                     "a\n\xef\xbb\xbf"
                     "b"),
            (std::vector<std::string>{"a",
                                      "\xef\xbb\xbf"
                                      "b"}));
}

TEST(LineReader, joins_lines_that_cross_its_pieces) {
  const std::string longest(600'001, 'x');
  EXPECT_EQ(lines_of("a\n" + longest + "\nb"), (std::vector<std::string>{"a", longest, "b"}));
}

TEST(LineReader, accepts_a_line_as_long_as_the_cap_and_refuses_a_longer_one) {
  const std::string text = "1\n" + std::string(10, 'x') + "\r\n" + std::string(11, 'x') + "\n";
  MemoryStream stream(as_bytes(text));
  LineReader reader(stream, 10);
  ASSERT_TRUE(reader.next().ok());
  ASSERT_EQ((*reader.next())->size(), 10U);
  const auto refused = reader.next();
  ASSERT_FALSE(refused.ok());
  EXPECT_EQ(refused.error().place().line, 3U);
}

TEST(LineReader, does_not_read_a_hostile_line_to_its_end) {
  const std::string text(4'000'000, 'x');
  MemoryStream stream(as_bytes(text));
  LineReader reader(stream, 1000);
  EXPECT_FALSE(reader.next().ok());
  std::byte rest{};
  EXPECT_EQ(*stream.read(std::span(&rest, 1)), 1U);
}

}  // namespace
}  // namespace fiducial
