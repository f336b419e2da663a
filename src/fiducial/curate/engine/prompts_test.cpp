#include "fiducial/curate/engine/prompts.h"

#include <gtest/gtest.h>

#include "fiducial/base/sha256.h"
#include "fiducial/findings/ontology.h"

namespace fiducial {
namespace {

std::string code_of(const char* reply, const Json& schema) {
  return check_reply_form(parse_json(reply).value(), schema).code;
}

// Replies are kept under a hash of the words they answer: other words need another version.
TEST(Prompt, of_categories_keeps_its_bytes) {
  const Prompt& prompt = prompt_named("categories");
  EXPECT_EQ(prompt.id, "categories/3");
  EXPECT_EQ(sha256(as_bytes(prompt.words)).hex(),
            "019b07084457a70b26786eecb32132eea086f2dfaf7438207b5fb2ec3cc37dd2");
}

TEST(Prompt, of_categories_names_every_code_of_the_ontology) {
  const std::string& words = prompt_named("categories").words;
  for (const OntologyCode& each : ontology_codes()) {
    const std::string said =
        std::string(each.code) + (each.in_group.empty() ? "" : " ") + std::string(each.in_group);
    EXPECT_NE(words.find(said), std::string::npos) << said;
  }
}

TEST(ReplyForm, is_right_where_every_key_has_its_form) {
  const Json schema = exact_object_schema({{"a", text_schema()}, {"b", list_schema(text_schema())}});
  EXPECT_EQ(check_reply_form(parse_json(R"({"a": "x", "b": ["y"]})").value(), schema).status, "ok");
}

TEST(ReplyForm, tells_a_missing_key_from_one_too_many) {
  const Json schema = exact_object_schema({{"a", text_schema()}, {"b", text_schema()}});
  EXPECT_EQ(code_of(R"({"a": "x"})", schema), "missing_key");
  EXPECT_EQ(code_of(R"({"a": "x", "b": "y", "c": "z"})", schema), "extra_key");
}

TEST(ReplyForm, tells_a_wrong_kind_from_an_unknown_code_and_a_wrong_flag) {
  const Json codes = exact_object_schema({{"a", enum_schema({"1a", "abstain"})}});
  EXPECT_EQ(code_of(R"({"a": "9z"})", codes), "unknown_code");
  const Json flags = exact_object_schema({{"a", enum_schema({"Y", "N"})}});
  EXPECT_EQ(code_of(R"({"a": "yes"})", flags), "wrong_flag");
  const Json texts = exact_object_schema({{"a", text_schema()}});
  EXPECT_EQ(code_of(R"({"a": 1})", texts), "bad_form");
  EXPECT_EQ(code_of(R"([])", texts), "bad_form");
}

TEST(ReplyForm, holds_every_key_of_many_to_one_form) {
  const Json schema = keyed_schema({"P1", "P2"}, enum_schema({"1a", "2b"}));
  EXPECT_EQ(code_of(R"({"P1": "1a", "P2": "2b"})", schema), "");
  EXPECT_EQ(code_of(R"({"P1": "1a"})", schema), "missing_key");
  EXPECT_EQ(code_of(R"({"P1": "1a", "P2": "2b", "P3": "1a"})", schema), "extra_key");
  EXPECT_EQ(code_of(R"({"P1": "1a", "P2": "3c"})", schema), "unknown_code");
}

}  // namespace
}  // namespace fiducial
