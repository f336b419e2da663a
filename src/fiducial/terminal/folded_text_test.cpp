#include "fiducial/terminal/folded_text.h"

#include <gtest/gtest.h>

namespace fiducial {
namespace {

TEST(FoldedText, breaks_long_lines_at_spaces_and_indents_what_follows) {
  EXPECT_EQ(folded_text("  one two three four\nshort\n", 12), "  one two\n    three\n    four\nshort\n");
}

TEST(FoldedText, keeps_a_word_that_is_too_wide_whole) {
  EXPECT_EQ(folded_text("see /a/very/long/path here", 10), "see\n  /a/very/long/path\n  here");
}

TEST(FoldedText, counts_characters_and_not_bytes) {
  EXPECT_EQ(folded_text("\xC3\xA9\xC3\xA9 \xC3\xA9\xC3\xA9", 5), "\xC3\xA9\xC3\xA9 \xC3\xA9\xC3\xA9");
}

TEST(FoldedText, leaves_a_text_alone_where_no_width_is_known) {
  EXPECT_EQ(folded_text("one two three", 0), "one two three");
}

}  // namespace
}  // namespace fiducial
