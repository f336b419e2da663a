#include "fiducial/base/line_blocks.h"

#include <gtest/gtest.h>

#include "fiducial/base/random.h"

namespace fiducial {
namespace {

TEST(LineBlocks, are_the_stream_and_end_where_lines_end) {
  Random random(1);
  std::string text;
  for (int i = 0; i < 3000; ++i)
    text += std::string(random.below(10000), static_cast<char>('a' + i % 26)) + "\n";
  text += "no end";
  MemoryStream stream(as_bytes(text));
  LineBlocks blocks(stream, 10000);
  std::string together;
  for (auto block = blocks.next(); block.ok() && *block; block = blocks.next()) {
    together += **block;
    EXPECT_TRUE((*block)->ends_with('\n') || together == text);
  }
  EXPECT_EQ(together, text);
}

TEST(LineBlocks, hold_a_line_that_is_longer_than_a_block_up_to_the_limit) {
  const std::string text = "short\n" + std::string(20 << 20, 'x') + "\nshort\n";
  MemoryStream stream(as_bytes(text));
  LineBlocks blocks(stream, 20 << 20);
  std::string together;
  for (auto block = blocks.next(); block.ok() && *block; block = blocks.next()) together += **block;
  EXPECT_EQ(together, text);
  MemoryStream again(as_bytes(text));
  LineBlocks limited(again, 10 << 20);
  ASSERT_TRUE(limited.next().ok());
  EXPECT_FALSE(limited.next().ok());
}

TEST(LineBlocks, are_none_for_an_empty_stream) {
  MemoryStream stream(ByteView{});
  LineBlocks blocks(stream, 10);
  const auto block = blocks.next();
  ASSERT_TRUE(block.ok());
  EXPECT_FALSE(*block);
}

}  // namespace
}  // namespace fiducial
