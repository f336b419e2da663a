#include "fiducial/curate/engine/reply_json.h"

#include <gtest/gtest.h>

namespace fiducial {
namespace {

std::string said(const char* text) { return reply_json(Json(text)).compact(); }

TEST(ReplyJson, is_the_document_of_a_text) {
  EXPECT_EQ(said("{\"a\": 1}"), R"({"a":1})");
  EXPECT_EQ(reply_json(Json::array({1})).compact(), "[1]");
}

TEST(ReplyJson, is_what_stands_between_code_fences) {
  EXPECT_EQ(said("```json\n{\"a\": 1}\n```"), R"({"a":1})");
  EXPECT_EQ(said("  ```\n[1]\n```  "), "[1]");
  EXPECT_EQ(said("```json\nbroken\n```"), R"("```json\nbroken\n```")");
}

TEST(ReplyJson, is_what_follows_the_reasoning) {
  EXPECT_EQ(said("<think>{\"a\": 0}</think>\n{\"a\": 1}"), R"({"a":1})");
  EXPECT_EQ(said("so {\"a\": 0}</THINK>```json\n{\"a\": 1}\n```"), R"({"a":1})");
}

TEST(ReplyJson, is_the_only_object_among_words) {
  EXPECT_EQ(said("Here you are: {\"a\": {\"b\": \"}\"}}. Anything else?"), R"({"a":{"b":"}"}})");
  EXPECT_EQ(said("By {set} rules:\n```json\n{\"a\": 1}\n```\nDone."), R"({"a":1})");
  EXPECT_EQ(said("{\"a\": 1} or {\"a\": 2}"), R"("{\"a\": 1} or {\"a\": 2}")");
  EXPECT_EQ(said("no object"), R"("no object")");
}

}  // namespace
}  // namespace fiducial
