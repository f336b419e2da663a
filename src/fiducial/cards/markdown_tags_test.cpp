#include "fiducial/cards/markdown_tags.h"

#include <gtest/gtest.h>

namespace fiducial {
namespace {

TEST(MarkdownTags, write_out_what_would_become_html) {
  EXPECT_EQ(without_tags("<script>alert(1)</script>"), "&lt;script>alert(1)&lt;/script>");
  EXPECT_EQ(without_tags("<img src=x onerror=f()> <!-- hidden"), "&lt;img src=x onerror=f()> &lt;!-- hidden");
}

TEST(MarkdownTags, leave_comparisons_and_links) {
  for (const char* text : {"a < b", "n<5", "<https://example.org>", "R&D", "&amp;", ""}) {
    EXPECT_EQ(without_tags(text), text);
  }
}

TEST(MarkdownTags, come_back_as_they_were) {
  for (const char* text : {"<b>", "&lt;b>", "&amp;lt;b>", "&amp;amp;lt;", "<", "a<b", "&", "&lt", "<<b",
                           "& lt;", "&lt;&lt;<p>"}) {
    EXPECT_EQ(with_tags(without_tags(text)), text);
  }
}

}  // namespace
}  // namespace fiducial
