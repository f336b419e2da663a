#include "fiducial/base/printable.h"

#include <gtest/gtest.h>

#include "fiducial/base/json.h"

namespace fiducial {
namespace {

TEST(Printable, leaves_texts_of_people_as_they_are) {
  for (const char* text : {"", "plain", "größer", "所見 なし", "\xF0\x9F\xAB\x81", "a\\b"}) {
    EXPECT_EQ(printable(text), text);
  }
}

TEST(Printable, writes_out_what_a_terminal_obeys) {
  EXPECT_EQ(printable("\x1b]0;owned\x07"), "\\u001b]0;owned\\u0007");
  EXPECT_EQ(printable("\xC2\x9B"
                      "2J"),
            "\\u009b2J");
  EXPECT_EQ(printable("a\nb\tc\r\x7f"), "a\\nb\\tc\\u000d\\u007f");
  EXPECT_EQ(printable("x\xE2\x80\xAEgpj.exe"), "x\\u202egpj.exe");
  EXPECT_EQ(printable("\xFF\xC3"), "\\xff\\xc3");
}

TEST(Printable, keeps_the_lines_of_several) {
  EXPECT_EQ(printable_lines("a\n\tb\x1b[0m\n"), "a\n\tb\\u001b[0m\n");
}

TEST(Printable, leaves_a_json_document_the_same_document) {
  const Json document = Json::object({{"name", "\x1b\xC2\x9B\xE2\x80\xAE\n\"\\"}});
  const Result<Json> read = parse_json(printable_lines(document.pretty()));
  ASSERT_TRUE(read.ok()) << read.error().text();
  EXPECT_EQ(read->pretty(), document.pretty());
}

}  // namespace
}  // namespace fiducial
