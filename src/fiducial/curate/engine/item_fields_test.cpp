#include "fiducial/curate/engine/item_fields.h"

#include <gtest/gtest.h>

namespace fiducial {
namespace {

TEST(ScalarText, is_what_python_writes) {
  const Json value = Json::array({"text", true, 7, 0.5, nullptr, Json::Array{}});
  std::string out;
  for (const Json& each : *value.as_array()) out += scalar_text(&each).value_or("-") + "|";
  EXPECT_EQ(out, "text|True|7|0.5|-|-|");
  EXPECT_EQ(scalar_text(nullptr), std::nullopt);
}

TEST(FirstText, passes_over_fields_that_hold_only_white_space) {
  const Json item = Json::object({{"a", " \t"}, {"b", nullptr}, {"c", " word "}});
  EXPECT_EQ(first_text(item, {"a", "b", "missing", "c"}), " word ");
  EXPECT_EQ(first_text(item, {"a", "b"}), "");
}

TEST(OptionLetters, go_on_with_two_letters_after_z) {
  EXPECT_EQ(option_letter(0), "A");
  EXPECT_EQ(option_letter(25), "Z");
  EXPECT_EQ(option_letter(26), "AA");
  EXPECT_EQ(option_letter(27), "AB");
}

TEST(SingleLetter, is_one_ascii_letter_alone) {
  EXPECT_EQ(single_letter(" b "), 'B');
  for (const char* text : {"", "ab", "1", "b)", "é"}) EXPECT_EQ(single_letter(text), std::nullopt) << text;
}

TEST(FoldedNorm, keeps_words_and_nothing_else) {
  EXPECT_EQ(folded_norm("  Straße,  (Left)\tLUNG! "), "strasse left lung");
  EXPECT_EQ(folded_norm("don't"), "dont");
  EXPECT_EQ(lower_norm("  A,  B "), "a, b");
}

}  // namespace
}  // namespace fiducial
