#include "fiducial/base/quoted_lines.h"

#include <gtest/gtest.h>

namespace fiducial {
namespace {

TEST(QuotedLines, stay_lines_of_a_message) {
  EXPECT_EQ(printable_message("it printed:" + quoted_lines("one\r\ntwo\n\n")),
            "it printed:\n    | one\n    | two");
  EXPECT_EQ(quoted_lines(" \n"), "");
}

TEST(QuotedLines, have_their_control_characters_written_out) {
  EXPECT_EQ(printable_message(quoted_lines("\x1b[2J")), "\n    | \\u001b[2J");
}

TEST(QuotedLines, are_the_only_lines_of_a_message) {
  EXPECT_EQ(printable_message("a name\nwarning: no"), "a name\\nwarning: no");
}

}  // namespace
}  // namespace fiducial
