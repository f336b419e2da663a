#include "fiducial/base/utf8.h"

#include <gtest/gtest.h>

namespace fiducial {
namespace {

bool is_scalar(char32_t code) { return code < 0xD800 || (code > 0xDFFF && code <= 0x10FFFF); }

// Decodes by arithmetic and accepts only what encodes back to the same bytes.
bool obviously_valid(std::string_view text) {
  while (!text.empty()) {
    const auto lead = static_cast<unsigned char>(text[0]);
    const std::size_t length = lead < 0x80       ? 1
                               : lead >> 5 == 6  ? 2
                               : lead >> 4 == 14 ? 3
                               : lead >> 3 == 30 ? 4
                                                 : 0;
    if (length == 0 || text.size() < length) return false;
    char32_t code = length == 1 ? lead : lead & (0x7FU >> length);
    for (std::size_t i = 1; i < length; ++i) code = code << 6 | (static_cast<unsigned char>(text[i]) & 0x3F);
    if (!is_scalar(code)) return false;
    std::string again;
    append_utf8(again, code);
    if (again != text.substr(0, length)) return false;
    text.remove_prefix(length);
  }
  return true;
}

TEST(AppendUtf8, writes_one_to_four_bytes) {
  std::string text;
  for (const char32_t code : {U'\x7F', U'\x80', U'\x7FF', U'\x800', U'\xFFFF', U'\x10000', U'\x10FFFF'})
    append_utf8(text, code);
  EXPECT_EQ(text, "\x7F\xC2\x80\xDF\xBF\xE0\xA0\x80\xEF\xBF\xBF\xF0\x90\x80\x80\xF4\x8F\xBF\xBF");
}

TEST(Utf8, accepts_every_scalar_value) {
  for (char32_t code = 0; code <= 0x10FFFF; ++code) {
    if (!is_scalar(code)) continue;
    std::string text;
    append_utf8(text, code);
    ASSERT_EQ(first_invalid_utf8(text), std::nullopt) << static_cast<std::uint32_t>(code);
  }
}

TEST(Utf8, agrees_with_decoding_for_every_pair_and_triple_of_interesting_bytes) {
  const std::string edges(
      "\x00\x41\x7F\x80\x8F\x90\x9F\xA0\xBF\xC0\xC1\xC2\xDF\xE0\xE1\xEC\xED\xEE\xEF\xF0\xF1\xF3\xF4\xF5\xFF",
      25);
  for (const char a : edges) {
    for (const char b : edges) {
      for (const char c : edges) {
        for (const char d : edges) {
          const std::string text{a, b, c, d};
          ASSERT_EQ(!first_invalid_utf8(text), obviously_valid(text));
        }
      }
    }
  }
}

TEST(Utf8, names_the_first_bad_byte) {
  EXPECT_EQ(first_invalid_utf8("ab\xFF"), 2U);
  EXPECT_EQ(first_invalid_utf8("ab\xE2\x82"), 2U);
  EXPECT_EQ(first_invalid_utf8(""), std::nullopt);
}

}  // namespace
}  // namespace fiducial
