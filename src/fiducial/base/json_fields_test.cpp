#include "fiducial/base/json_fields.h"

#include <gtest/gtest.h>

namespace fiducial {
namespace {

Json document() {
  return parse_json(R"({"name": "lung", "count": 3, "share": 0.5, "whole": true, "list": ["a", 1, "b"],
                        "inner": {"x": 1}, "nothing": null})")
      .value();
}

TEST(JsonFields, says_what_is_missing_and_where) {
  const Json value = document();
  EXPECT_EQ(required_string(value, "title", "/cases/0").error().text(),
            "at /cases/0: key \"title\" is missing");
  EXPECT_EQ(required_string(Json("x"), "title", "").error().text(), "at /: expected object, found string");
}

TEST(JsonFields, says_what_kind_was_expected_and_found) {
  EXPECT_EQ(required_string(document(), "count", "").error().text(),
            "at /count: expected string, found integer");
  EXPECT_EQ(required_integer(document(), "share", "/a").error().text(),
            "at /a/share: expected integer, found number");
}

TEST(JsonFields, reads_required_members) {
  EXPECT_EQ(required_string(document(), "name", "").value(), "lung");
  EXPECT_EQ(required_integer(document(), "count", "").value(), 3);
}

TEST(JsonFields, takes_another_kind_for_nothing) {
  const Json value = document();
  EXPECT_EQ(text_at(value, "name"), "lung");
  EXPECT_EQ(text_at(value, "count"), "");
  EXPECT_EQ(integer_at(value, "count"), 3);
  EXPECT_EQ(integer_at(value, "share"), 0);
  EXPECT_EQ(number_at(value, "share"), 0.5);
  EXPECT_EQ(number_at(value, "count"), 3.0);
  EXPECT_EQ(number_at(value, "name"), std::nullopt);
  EXPECT_EQ(flag_at(value, "whole"), true);
  EXPECT_EQ(flag_at(value, "nothing"), std::nullopt);
}

TEST(JsonFields, takes_a_missing_member_for_nothing) {
  EXPECT_EQ(text_at(document(), "title"), "");
  EXPECT_EQ(integer_at(Json("text"), "title"), 0);
  EXPECT_EQ(find_string(document(), "title"), nullptr);
  EXPECT_TRUE(strings_at(document(), "title").empty());
}

TEST(JsonFields, reads_the_texts_of_a_list_and_passes_over_the_rest) {
  EXPECT_EQ(strings_at(document(), "list"), (std::vector<std::string>{"a", "b"}));
  EXPECT_TRUE(strings_at(document(), "name").empty());
}

TEST(Json, makes_an_array_of_any_list_of_texts) {
  EXPECT_EQ(Json::strings(std::vector<std::string>{"a", "b"}).compact(), R"(["a","b"])");
  EXPECT_EQ(Json::strings(std::vector<std::string_view>{}).compact(), "[]");
}

}  // namespace
}  // namespace fiducial
