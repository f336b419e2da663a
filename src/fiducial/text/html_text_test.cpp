#include "fiducial/text/html_text.h"

#include <gtest/gtest.h>

namespace fiducial {
namespace {

TEST(HtmlText, escapes_markup_and_both_quotes) {
  EXPECT_EQ(html_escaped("<script>alert(\"a\" & 'b')</script>"),
            "&lt;script&gt;alert(&quot;a&quot; &amp; &#39;b&#39;)&lt;/script&gt;");
}

TEST(HtmlText, keeps_letters_of_any_script) {
  EXPECT_EQ(html_escaped("3 \xC2\xB5m, \xE8\x82\xBA"), "3 \xC2\xB5m, \xE8\x82\xBA");
}

TEST(HtmlText, replaces_bytes_that_are_no_text) {
  EXPECT_EQ(html_escaped(std::string("a\0b\x1B[0m\xFF", 8)),
            "a\xEF\xBF\xBD"
            "b\xEF\xBF\xBD[0m\xEF\xBF\xBD");
}

TEST(HtmlText, replaces_marks_that_turn_the_direction_of_text) {
  EXPECT_EQ(html_escaped("gz.\xE2\x80\xAE"
                         "exe\xE2\x81\xA9"),
            "gz.\xEF\xBF\xBD"
            "exe\xEF\xBF\xBD");
}

}  // namespace
}  // namespace fiducial
