#include "fiducial/datasets/medthinkvqa/json_row.h"

#include <gtest/gtest.h>

#include "fiducial/base/random.h"
#include "fiducial/datasets/medthinkvqa/plain_row.h"

namespace fiducial::medthinkvqa {
namespace {

RawRow parsed(std::string_view line) { return *parse_json_row(line); }

TEST(JsonRow, keeps_strings_byte_by_byte) {
  const RawRow row =
      parsed(R"({"title":"Case number 68","CLINICAL_HISTORY":"½ \u00bd \ud83e\ude7b\n\u0000x"})");
  EXPECT_EQ(row.title, "Case number 68");
  EXPECT_EQ(row.history, std::string("½ ½ \xf0\x9f\xa9\xbb\n\0x", 13));
}

TEST(JsonRow, takes_absent_null_and_empty_slots_for_the_same) {
  const RawRow row =
      parsed(R"({"image_01_id":"a","image_02_id":null,"image_02_path":"","image_03_caption":"c"})");
  ASSERT_EQ(row.slots.size(), 2U);
  EXPECT_EQ(row.slots[0].number, 1);
  EXPECT_EQ(row.slots[1].number, 3);
  EXPECT_EQ(row.slots[1].caption, "c");
}

TEST(JsonRow, orders_slots_by_number) {
  const RawRow row = parsed(R"({"image_12_id":"b","image_02_id":"a","image_49_id":"c"})");
  ASSERT_EQ(row.slots.size(), 3U);
  EXPECT_EQ(row.slots[1].id, "b");
}

TEST(JsonRow, keeps_options_in_the_order_of_the_file) {
  const RawRow row = parsed(R"({"options":{"B":"two","A":null}})");
  EXPECT_EQ(row.options, (RawRow::Options{{"B", "two"}, {"A", ""}}));
}

TEST(JsonRow, notes_fields_of_a_wrong_type) {
  const RawRow row =
      parsed(R"({"image_count":3.5,"title":7,"key":1,"is_longitudinal":"perhaps","options":[]})");
  ASSERT_EQ(row.field_errors.size(), 4U);
  EXPECT_EQ(row.field_errors[0].first, "image_count");
  EXPECT_EQ(row.field_errors[0].second, "expected an integer, found number");
}

TEST(JsonRow, refuses_lines_that_are_no_object_and_names_the_byte) {
  EXPECT_FALSE(parse_json_row("[1]").ok());
  EXPECT_FALSE(parse_json_row(R"({"title":"a","title":"b"})").ok());
  EXPECT_FALSE(parse_json_row("{\"title\":\"\xff\"}").ok());
  EXPECT_FALSE(parse_json_row(R"({"title":"a"} x)").ok());
  const auto broken = parse_json_row(R"({"title":"a",})");
  ASSERT_FALSE(broken.ok());
  EXPECT_TRUE(broken.error().place().byte.has_value());
}

TEST(JsonRow, reads_options_from_text) {
  RawRow row;
  ASSERT_TRUE(add_json_options(row, R"({"A":"x"})").ok());
  EXPECT_EQ(row.options, (RawRow::Options{{"A", "x"}}));
  EXPECT_FALSE(add_json_options(row, R"({"A":"x"},"B")").ok());
  EXPECT_FALSE(add_json_options(row, "[]").ok());
}

// Lines as releases write them, and what can go wrong with each of their bytes.
TEST(PlainRow, gives_what_parsing_the_whole_document_gives) {
  const std::string line =
      R"({"title":"Case number 68", "CLINICAL_HISTORY":"½ \u00bd\n\t\"q\" a longer text of more than sixteen bytes",)"
      R"("options":{"A":"a","B":null,"C":""},"correct_answer":"C","is_longitudinal":true,"timepoint_count":-2,)"
      R"("image_count":3,"image_01_id":"x","image_01_path":"","image_02_caption":null,"image_49_modality":"CT",)"
      R"("other":"text","more":12,"last":false,"image_50_id":null,"image_50_path":null,"end":null})";
  Random random(7);
  PlainRowParser parser;
  std::int64_t plain = 0;
  for (int i = 0; i < 20000; ++i) {
    std::string changed = line;
    for (std::uint64_t edits = random.below(3); edits > 0; --edits) {
      constexpr std::string_view bytes = "\"\\{}[]:,0-.enu \n\x1f\x80\xc3\xbd_i";
      const std::size_t at = random.below(changed.size());
      changed[at] = bytes[random.below(bytes.size())];
      if (random.below(4) == 0) changed.erase(at, random.below(12));
    }
    const auto fast = parser.parse(changed);
    if (!fast) continue;
    ++plain;
    const auto whole = parse_json(changed);
    ASSERT_TRUE(whole.ok()) << changed;
    ASSERT_EQ(*fast, row_of(*whole)) << changed;
  }
  EXPECT_GT(plain, 8000);
  EXPECT_LT(plain, 19000);
}

TEST(PlainRow, leaves_the_rest_to_the_parser_of_documents) {
  EXPECT_TRUE(PlainRowParser().parse(R"({"title":"a","x":1})"));
  for (const char* line :
       {R"({"title":"a","title":"b"})", R"({"x":1,"x":2})", R"({"image_01_id":null,"image_01_id":"a"})",
        R"({"image_count":1.0})", R"({"image_count":01})", R"({"image_count":-0})", R"({"x":[1]})",
        R"({"image_count":9999999999999999999})", R"({"B":-9999999999999999999999})",
        R"({"title":"\ud83e\ude7b"})", "{\"title\":\"\xff\"}", R"({"title":"a"} x)", "", "{", R"({"a)"}) {
    EXPECT_FALSE(PlainRowParser().parse(line)) << line;
  }
}

TEST(PlainRow, sees_a_name_twice_although_it_expects_others) {
  PlainRowParser parser;
  ASSERT_TRUE(parser.parse(R"({"title":"a","x":1,"image_01_id":"b","y":2})"));
  EXPECT_TRUE(parser.parse(R"({"title":"a","x":1,"image_01_id":"b"})"));
  EXPECT_FALSE(parser.parse(R"({"title":"a","x":1,"image_01_id":"b","x":2})"));
  ASSERT_TRUE(parser.parse(R"({"title":"a","x":1,"image_01_id":"b","y":2})"));
  EXPECT_FALSE(parser.parse(R"({"title":"a","image_01_id":"b","x":1,"title":"c"})"));
  ASSERT_TRUE(parser.parse(R"({"title":"a","x":null,"image_01_id":null,"y":null})"));
  EXPECT_TRUE(parser.parse(R"({"title":"b","x":1,"image_01_id":null,"y":null})"));
  EXPECT_FALSE(parser.parse(R"({"title":"b","x":1,"image_01_id":null,"y":null)"));
  ASSERT_TRUE(parser.parse(R"({"title":"a","x":null,"image_01_id":null,"y":null})"));
  EXPECT_FALSE(parser.parse(R"({"title":"b","y":1,"image_01_id":null,"y":null})"));
  const auto row = parser.parse(R"({"x":1,"title":"c"})");
  ASSERT_TRUE(row);
  EXPECT_EQ(row->title, "c");
}

TEST(CaseNumber, is_a_number_without_padding) {
  EXPECT_EQ(case_number("Case number 68"), 68);
  EXPECT_EQ(case_number("Case number 0"), 0);
  for (const char* title : {"Case number 068", "Case number", "Case number ", "case number 1",
                            "Case number 1 ", "Case number -1", "Case number 99999999999999999999"}) {
    EXPECT_FALSE(case_number(title)) << title;
  }
}

TEST(CheckedCase, refuses_what_cannot_be_scored) {
  const std::string good =
      R"("title":"Case number 1","options":{"A":"a","B":"b","C":"c","D":"d","E":"e"},"correct_answer":)";
  const auto checked = checked_case(parsed("{" + good + R"("E"})"));
  ASSERT_TRUE(checked.ok());
  EXPECT_EQ(checked->key_text(), "e");
  EXPECT_FALSE(checked_case(parsed("{" + good + R"("F"})")).ok());
  EXPECT_FALSE(checked_case(parsed("{" + good + "null}")).ok());
  EXPECT_FALSE(
      checked_case(parsed(R"({"title":"Case number 1","options":{"A":"a"},"correct_answer":"A"})")).ok());
  EXPECT_FALSE(checked_case(parsed(R"({"title":"Case 1"})")).ok());
}

}  // namespace
}  // namespace fiducial::medthinkvqa
