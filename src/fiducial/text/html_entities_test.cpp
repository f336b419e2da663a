#include "fiducial/text/html_entities.h"

#include <gtest/gtest.h>

namespace fiducial {
namespace {

// Every expected value is what CPython 3.11's html.unescape gives.
TEST(HtmlEntities, decodes_names_and_numbers_once) {
  EXPECT_EQ(html_unescaped("a &lt;b&gt; &amp;lt; &#65;&#x42;&#X43"), "a <b> &lt; ABC");
  EXPECT_EQ(html_unescaped("&eacute;&NotEqualTilde;"), "é≂̸");
}

TEST(HtmlEntities, decodes_legacy_names_without_a_semicolon_also_inside_words) {
  EXPECT_EQ(html_unescaped("&lt &ampx &notit; &eacutes"), "< &x ¬it; és");
  EXPECT_EQ(html_unescaped("&Alpha &hellip"), "&Alpha &hellip");
}

TEST(HtmlEntities, follows_the_standard_for_odd_numbers) {
  EXPECT_EQ(html_unescaped("&#128;&#0;&#xD800;&#x110000;&#99999999999;"),
            "€\xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBD");
  EXPECT_EQ(html_unescaped("a&#1;b&#xFFFE;c&#127;d&#13;"), "abcd\r");
}

TEST(HtmlEntities, leaves_everything_else_alone) {
  EXPECT_EQ(html_unescaped("& && &; &# &#x; &#xg &unknown; &"), "& && &; &# &#x; &#xg &unknown; &");
}

}  // namespace
}  // namespace fiducial
