#include "fiducial/base/json.h"

#include <limits>

#include <gtest/gtest.h>

#include "fiducial/base/number_text.h"
#include "fiducial/base/random.h"
#include "fiducial/base/utf8.h"

namespace fiducial {
namespace {

std::string error_of(std::string_view text) {
  const Result<Json> result = parse_json(text);
  return result.ok() ? "accepted" : result.error().text();
}

std::string again(std::string_view text) { return parse_json(text).value().compact(); }

TEST(Json, writes_compact_text_with_members_in_their_order) {
  const Json value = Json::object({{"b", 1}, {"a", Json::array({nullptr, true, false, 0.5, "x"})}});
  EXPECT_EQ(value.compact(), R"({"b":1,"a":[null,true,false,0.5,"x"]})");
}

TEST(Json, writes_pretty_text_with_two_spaces_and_a_final_newline) {
  const Json value =
      Json::object({{"a", Json::array({1, 2})}, {"b", Json::object({})}, {"c", Json::array({})}});
  EXPECT_EQ(value.pretty(), "{\n  \"a\": [\n    1,\n    2\n  ],\n  \"b\": {},\n  \"c\": []\n}\n");
}

TEST(Json, escapes_quotes_backslashes_and_control_characters) {
  EXPECT_EQ(Json("a\"b\\c\n\t\x01").compact(), R"("a\"b\\c\n\t\u0001")");
}

TEST(Json, keeps_other_text_as_it_is) {
  EXPECT_EQ(Json("h\u00e9/\U0001F600").compact(), "\"h\u00e9/\U0001F600\"");
}

TEST(Json, is_built_from_null_by_set_and_push) {
  Json object;
  object.set("a", 1).set("b", 2).set("a", 3);
  EXPECT_EQ(object.compact(), R"({"a":3,"b":2})");
  Json array;
  array.push(1).push("x");
  EXPECT_EQ(array.compact(), R"([1,"x"])");
}

TEST(Json, finds_members_of_objects_only) {
  const Json object = Json::object({{"a", 1}});
  ASSERT_NE(object.find("a"), nullptr);
  EXPECT_EQ(object.find("b"), nullptr);
  EXPECT_EQ(Json(1).find("a"), nullptr);
}

TEST(Json, names_the_kind_of_a_value) {
  EXPECT_EQ(Json().kind(), "null");
  EXPECT_EQ(Json(true).kind(), "boolean");
  EXPECT_EQ(Json(1).kind(), "integer");
  EXPECT_EQ(Json(1.5).kind(), "number");
  EXPECT_EQ(Json("x").kind(), "string");
  EXPECT_EQ(Json(Json::Array{}).kind(), "array");
  EXPECT_EQ(Json(Json::Object{}).kind(), "object");
}

TEST(Json, gives_integers_as_numbers_too) {
  EXPECT_EQ(Json(3).as_number(), 3.0);
  EXPECT_EQ(Json(2.5).as_number(), 2.5);
  EXPECT_EQ(Json(2.5).as_integer(), nullptr);
  EXPECT_EQ(Json("3").as_number(), std::nullopt);
}

TEST(ParseJson, reads_every_kind_of_value) {
  EXPECT_EQ(again(" { \"a\" : [ 1 , -2 , 0.5 , 1e3 , true , false , null , \"x\" , { } , [ ] ] } \n"),
            R"({"a":[1,-2,0.5,1000.0,true,false,null,"x",{},[]]})");
}

TEST(ParseJson, skips_a_byte_order_mark) { EXPECT_EQ(again("\xEF\xBB\xBF[1]"), "[1]"); }

TEST(ParseJson, reads_all_escapes) {
  EXPECT_EQ(*parse_json(R"("\"\\\/\b\f\n\r\t\u0041\u00e9\u20AC\ud83d\ude00")").value().as_string(),
            "\"\\/\b\f\n\r\tA\u00e9\u20ac\U0001F600");
}

TEST(Json, keeps_integers_of_64_bits_without_a_sign) {
  const Json largest(std::numeric_limits<std::uint64_t>::max());
  EXPECT_EQ(largest.compact(), "18446744073709551615");
  EXPECT_EQ(largest.kind(), "large integer");
  EXPECT_EQ(largest.as_integer(), nullptr);
  EXPECT_EQ(*largest.as_large_integer(), std::numeric_limits<std::uint64_t>::max());
  EXPECT_EQ(largest.as_number(), 18446744073709551616.0);
  EXPECT_EQ(Json(std::uint64_t{1} << 63).compact(), "9223372036854775808");
  EXPECT_EQ(*Json((std::uint64_t{1} << 63) - 1).as_integer(), std::numeric_limits<std::int64_t>::max());
}

TEST(ParseJson, keeps_integers_whole_and_falls_back_to_doubles) {
  EXPECT_EQ(*parse_json("9223372036854775807").value().as_integer(),
            std::numeric_limits<std::int64_t>::max());
  EXPECT_EQ(*parse_json("-9223372036854775808").value().as_integer(),
            std::numeric_limits<std::int64_t>::min());
  EXPECT_EQ(parse_json("9223372036854775808").value().as_number(), 9223372036854775808.0);
  EXPECT_EQ(again("18446744073709551615"), "18446744073709551615");
  EXPECT_EQ(parse_json("18446744073709551616").value().kind(), "number");
  EXPECT_EQ(parse_json("-9223372036854775809").value().kind(), "number");
  EXPECT_EQ(parse_json("1.0").value().kind(), "number");
}

TEST(ParseJson, names_line_and_byte_of_every_mistake) {
  EXPECT_EQ(error_of(""), "line 1, byte 0: document ends where a value is expected");
  EXPECT_EQ(error_of("[1,\n"), "line 2, byte 4: document ends where a value is expected");
  EXPECT_EQ(error_of("[1 2]"), "line 1, byte 3: ',' or ']' is expected");
  EXPECT_EQ(error_of("{\"a\":1 \"b\":2}"), "line 1, byte 7: ',' or '}' is expected");
  EXPECT_EQ(error_of("{\n\n\"a\" 1}"), "line 3, byte 7: ':' is expected after a key");
  EXPECT_EQ(error_of("{a:1}"), "line 1, byte 1: a key in quotes is expected");
  EXPECT_EQ(error_of("{\"a\":1,}"), "line 1, byte 7: a key in quotes is expected");
  EXPECT_EQ(error_of("{"), "line 1, byte 1: a key in quotes is expected");
  EXPECT_EQ(error_of("[1,]"), "line 1, byte 3: not a JSON value");
  EXPECT_EQ(error_of("nul"), "line 1, byte 0: not a JSON value");
  EXPECT_EQ(error_of("True"), "line 1, byte 0: not a JSON value");
  EXPECT_EQ(error_of("NaN"), "line 1, byte 0: not a JSON value");
  EXPECT_EQ(error_of("[] x"), "line 1, byte 3: text after the end of the document");
  EXPECT_EQ(error_of("\"abc"), "line 1, byte 4: document ends inside a string");
  EXPECT_EQ(error_of("\"abc\\"), "line 1, byte 5: document ends inside a string");
  EXPECT_EQ(error_of("\"a\nb\""), "line 1, byte 2: control character inside a string");
  EXPECT_EQ(error_of("\"\\x\""), "line 1, byte 2: unknown escape in a string");
}

TEST(ParseJson, names_the_place_of_a_bad_number) {
  EXPECT_EQ(error_of("01"), "line 1, byte 0: not a JSON value");
  EXPECT_EQ(error_of("-"), "line 1, byte 0: not a JSON value");
  EXPECT_EQ(error_of("+1"), "line 1, byte 0: not a JSON value");
  EXPECT_EQ(error_of(".5"), "line 1, byte 0: not a JSON value");
  EXPECT_EQ(error_of("1."), "line 1, byte 2: digits are expected after the point");
  EXPECT_EQ(error_of("1e+"), "line 1, byte 3: digits are expected in the exponent");
  EXPECT_EQ(error_of("[1e999]"), "line 1, byte 1: number out of range");
}

TEST(ParseJson, refuses_lone_surrogates_and_bad_hex) {
  EXPECT_EQ(error_of(R"("\ud83d")"), "line 1, byte 7: high surrogate without a low one");
  EXPECT_EQ(error_of(R"("\ud83d\u0041")"), "line 1, byte 13: high surrogate without a low one");
  EXPECT_EQ(error_of(R"("\ude00")"), "line 1, byte 7: low surrogate without a high one");
  EXPECT_EQ(error_of(R"("\u12g4")"), "line 1, byte 5: four hexadecimal digits are expected");
  EXPECT_EQ(error_of(R"("\u12)"), "line 1, byte 5: four hexadecimal digits are expected");
}

TEST(ParseJson, takes_only_hexadecimal_digits_in_escapes) {
  for (int c = 1; c < 128; ++c) {
    const std::string text = std::string("\"\\u004") + static_cast<char>(c) + "\"";
    EXPECT_EQ(parse_json(text).ok(), std::isxdigit(c) != 0) << c;
  }
}

TEST(ParseJson, refuses_a_key_that_appears_twice) {
  EXPECT_EQ(error_of("{\"a\":1,\n\"a\":2}"), "line 2, byte 8: key \"a\" appears twice");
  EXPECT_EQ(error_of("[{\"a\":1},{\"a\":2}]"), "accepted");
}

TEST(ParseJson, refuses_text_that_is_not_utf8) {
  EXPECT_EQ(error_of("\"a\xFF\""), "line 1, byte 2: not valid UTF-8");
}

TEST(ParseJson, limits_nesting) {
  const auto nested = [](int depth) {
    return std::string(static_cast<std::size_t>(depth), '[') +
           std::string(static_cast<std::size_t>(depth), ']');
  };
  EXPECT_TRUE(parse_json(nested(200)).ok());
  EXPECT_EQ(error_of(nested(300)), "line 1, byte 201: nested deeper than 200 levels");
  EXPECT_FALSE(parse_json(std::string(1'000'000, '[')).ok());
}

// Two bytes of text would take fifty of memory.
TEST(Json, refuses_more_values_than_fit_in_memory) {
  std::string text = "[0";
  while (text.size() < std::size_t{34} << 20) text += ",0,0,0,0,0,0,0,0";
  const Result<Json> refused = parse_json(text + "]");
  ASSERT_FALSE(refused.ok());
  EXPECT_EQ(refused.error().message(), "more than 16777216 values in one document");
}

TEST(ParseJson, refuses_every_proper_prefix_of_an_object) {
  const std::string text = R"({"a":[1.5e3,true,null,"x\u00e9\n"],"b":{"c":-7}})";
  ASSERT_TRUE(parse_json(text).ok());
  for (std::size_t size = 0; size < text.size(); ++size) {
    EXPECT_FALSE(parse_json(std::string_view(text).substr(0, size)).ok()) << size;
  }
}

Json random_value(Random& random, int depth) {
  switch (random.below(depth > 0 ? 8 : 6)) {
    case 0:
      return nullptr;
    case 1:
      return random.below(2) == 0;
    case 2:
      return static_cast<std::int64_t>(random.next());
    case 3:
      return random.normal() * 1e10;
    case 4: {
      std::string text;
      for (std::uint64_t i = random.below(8); i > 0; --i)
        append_utf8(text, static_cast<char32_t>(random.below(0xD800)));
      return text;
    }
    case 5:
      return random.next();
    case 6: {
      Json::Array items;
      for (std::uint64_t i = random.below(4); i > 0; --i) items.push_back(random_value(random, depth - 1));
      return items;
    }
    default: {
      Json::Object members;
      for (std::uint64_t i = random.below(4); i > 0; --i)
        members.emplace_back("k" + decimal(i), random_value(random, depth - 1));
      return members;
    }
  }
}

TEST(ParseJson, reads_back_what_was_written) {
  Random random(1);
  for (int trial = 0; trial < 500; ++trial) {
    const Json value = random_value(random, 4);
    ASSERT_EQ(again(value.compact()), value.compact());
    ASSERT_EQ(again(value.pretty()), value.compact());
  }
}

}  // namespace
}  // namespace fiducial
