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

TEST(ReplySchema, takes_one_of_several_types) {
  const Json schema = *parse_json(R"({"type": ["string", "null"]})");
  EXPECT_FALSE(form_problem("why", schema).has_value());
  EXPECT_FALSE(form_problem(Json(), schema).has_value());
  ASSERT_TRUE(form_problem(1, schema).has_value());
  EXPECT_EQ(form_problem(1, schema)->text, "reply: expected one of [\"string\",\"null\"], found integer");
}

TEST(ReplySchema, survives_schemas_that_are_none) {
  const Json reply = *parse_json(R"({"a": "b", "c": [1]})");
  for (const char* schema :
       {R"({"type": 1, "enum": 2, "required": 3, "propertyNames": 4})",
        R"({"properties": {"a": {"maxLength": "x"}, "c": {"prefixItems": 1, "items": 2}}})",
        R"({"properties": 1, "additionalProperties": true, "required": [1]})", "[1]"}) {
    EXPECT_FALSE(form_problem(reply, *parse_json(schema)).has_value()) << schema;
  }
}

}  // namespace
}  // namespace fiducial
