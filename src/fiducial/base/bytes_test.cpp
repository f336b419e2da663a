#include "fiducial/base/bytes.h"

#include <gtest/gtest.h>

namespace fiducial {
namespace {

TEST(Bytes, turn_into_text_and_back) {
  EXPECT_EQ(as_text(as_bytes("abc")), "abc");
  EXPECT_TRUE(as_bytes("").empty());
}

TEST(ByteSwapped, reverses_the_bytes_of_integers_and_floats) {
  EXPECT_EQ(byte_swapped(std::uint16_t{0x1234}), 0x3412);
  EXPECT_EQ(byte_swapped(std::uint32_t{0x12345678}), 0x78563412U);
  EXPECT_EQ(byte_swapped(byte_swapped(1.5F)), 1.5F);
}

TEST(Load, reads_at_an_unaligned_offset_in_either_byte_order) {
  const ByteView bytes = as_bytes(std::string_view("\xff\x01\x02\x03\x04", 5));
  EXPECT_EQ(load<std::uint32_t>(bytes, 1), byte_swapped(load<std::uint32_t>(bytes, 1, true)));
  const auto big = std::endian::native == std::endian::big;
  EXPECT_EQ(load<std::uint32_t>(bytes, 1, !big), 0x01020304U);
}

TEST(Store, is_what_load_reads) {
  Bytes bytes(11);
  store(std::span(bytes), 3, 2.25);
  EXPECT_EQ(load<double>(bytes, 3), 2.25);
}

}  // namespace
}  // namespace fiducial
