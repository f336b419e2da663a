#include "fiducial/chat/reply_schema.h"

#include <gtest/gtest.h>

namespace fiducial {
namespace {

TEST(ReplySchema, counts_the_characters_of_bounded_texts) {
  const Json schema = bounded_text_schema(2, 3);
  EXPECT_FALSE(form_problem("äöü", schema).has_value());
  ASSERT_TRUE(form_problem("ä", schema).has_value());
  EXPECT_EQ(form_problem("äöüß", schema)->text, "reply: expected 2 to 3 characters, found 4");
}

}  // namespace
}  // namespace fiducial
