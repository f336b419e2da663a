#include "fiducial/text/unicode.h"

#include <functional>

#include <gtest/gtest.h>

#include "fiducial/base/reference_values.h"
#include "fiducial/base/sha256.h"
#include "fiducial/base/utf8.h"

namespace fiducial {
namespace {

std::string digest_of(const std::function<std::string(char32_t)>& make) {
  std::string all;
  for (char32_t point = 0; point <= 0x10FFFF; ++point) {
    if (point < 0xD800 || point > 0xDFFF) all += make(point);
  }
  return sha256(as_bytes(all)).hex();
}

std::string text_of(char32_t point) {
  std::string out;
  append_utf8(out, point);
  return out;
}

TEST(Unicode, changes_case_of_every_code_point_as_cpython_does) {
  const Json expected = reference_values("unicode.json");
  EXPECT_EQ(digest_of([](char32_t point) { return lower_cased(text_of(point)); }),
            *expected.find("lower")->as_string());
  EXPECT_EQ(digest_of([](char32_t point) { return case_folded(text_of(point)); }),
            *expected.find("fold")->as_string());
  for (const Json& row : *expected.find("texts")->as_array()) {
    const Json::Array& texts = *row.as_array();
    EXPECT_EQ(lower_cased(*texts[0].as_string()), *texts[1].as_string());
    EXPECT_EQ(case_folded(*texts[0].as_string()), *texts[2].as_string());
  }
}

TEST(Unicode, knows_the_words_and_spaces_of_cpython) {
  const Json expected = reference_values("unicode.json");
  EXPECT_EQ(digest_of([](char32_t point) { return is_word_character(point) ? "1" : "0"; }),
            *expected.find("word")->as_string());
  EXPECT_EQ(digest_of([](char32_t point) { return is_white_space(point) ? "1" : "0"; }),
            *expected.find("space")->as_string());
}

TEST(Unicode, leaves_bytes_that_are_no_text_alone) {
  EXPECT_EQ(case_folded("A\xFF\xE2\x80"), "a\xFF\xE2\x80");
  EXPECT_EQ(white_space_collapsed(" a \xC2\xA0\n b "), "a b");
}

}  // namespace
}  // namespace fiducial
