#include <algorithm>
#include <map>

#include <gtest/gtest.h>

#include "fiducial/curate/cases/even_selection.h"
#include "fiducial/curate/cases/icd10_table.h"
#include "fiducial/curate/cases/leakage_reply.h"
#include "fiducial/curate/cases/option_cropping.h"

namespace fiducial {
namespace {

TEST(Icd10Normalisers, find_a_category) {
  for (const char* text : {"M33", "m33.1", "ICD M33.9", "M 33"})
    EXPECT_EQ(icd10_category_in(text), "M33") << text;
  EXPECT_EQ(icd10_category_in("U07-1"), "U07");
  EXPECT_EQ(icd10_category_in("33"), "");
  EXPECT_EQ(icd10_category_in("M3"), "");
}

TEST(Icd10Normalisers, find_a_block_with_an_ascii_hyphen_only) {
  EXPECT_EQ(icd10_block_in("Block M30-M36"), "M30-M36");
  EXPECT_EQ(icd10_block_in("m30\xE2\x80\x93m36"), "");
}

TEST(Icd10Normalisers, find_a_chapter_by_its_roman_number) {
  for (const char* text : {"chapter xiii", "XIII", "Chapter XIII: x"}) {
    EXPECT_EQ(icd10_chapter_in(text), "Chapter XIII") << text;
  }
  EXPECT_EQ(icd10_chapter_in("13"), "");
  EXPECT_EQ(icd10_chapter_in("mixed"), "");
}

TEST(LeakageReply, keeps_real_letters_in_the_order_of_the_options) {
  const auto options = judged_options(Json::array({"a", "b", "c"}));
  const Json named = Json::array({"b)", "A.", "Z", "b", "AB"});
  EXPECT_EQ(leaked_letters(&named, options), (std::vector<std::string>{"A", "B"}));
}

TEST(LeakageReply, finds_a_key_by_letter_original_key_or_position) {
  const auto listed = judged_options(Json::array({"a", "b", "c"}));
  EXPECT_EQ(key_letter("option_c", listed), "C");
  EXPECT_EQ(key_letter("b)", listed), "B");
  EXPECT_EQ(key_letter("1", listed), "B");
  const auto keyed = judged_options(Json::object({{"1", "a"}, {"2", "b"}}));
  EXPECT_EQ(key_letter("1", keyed), "A");
  EXPECT_EQ(key_letter("nine", keyed), std::nullopt);
}

TEST(Icd10Table, reads_back_what_it_writes) {
  Icd10Source source{.chapters = "01;Certain infections\r\n02;\"Neoplasms; all\"\n",
                     .groups = "A00;A09;01;Intestinal\nC00;C14;02;Lip\n",
                     .codes = ""};
  const auto code = [](const char* chapter, const char* block, const char* name, const char* title) {
    return std::string("3;N;X;") + chapter + ";" + block + ";x;x;" + name + ";" + title + ";;;;;;;;\n";
  };
  source.codes =
      code("01", "A00", "A00", "Cholera") + code("02", "C00", "C00", "Lip") + "4;;;;;;;;;;;;;;;;\n";
  const Icd10Counts counts{.chapters = 2, .blocks = 2, .categories = 2};
  const auto table = Icd10Table::build(source, counts);
  ASSERT_TRUE(table.ok()) << table.error().text();
  const std::string text = table->text("who.zip", "2026-01-01T00:00:00+00:00");
  EXPECT_NE(text.find("\n\nChapter II  Neoplasms; all (C00-C14)\nBlock | C00-C14  Lip\n    C00  Lip\n"),
            std::string::npos);
  EXPECT_EQ(*Icd10Table::parse(text), *table);

  EXPECT_EQ(Icd10Table::build(source).error().code(), ErrorCode::integrity);
  Icd10Source twice = source;
  twice.codes += code("01", "A00", "A00", "Again");
  EXPECT_EQ(Icd10Table::build(twice, counts).error().code(), ErrorCode::integrity);
  Icd10Source narrow = source;
  narrow.groups = "A00;A09;01\n";
  EXPECT_EQ(Icd10Table::build(narrow, counts).error().code(), ErrorCode::invalid_data);
}

TEST(SplitCandidates, cuts_at_two_semicolons) {
  EXPECT_EQ(split_candidates(" a, b ;;;; c;\t;;d"), (std::vector<std::string>{"a, b", "c", "d"}));
}

TEST(EvenSelection, takes_every_label_of_every_kind_equally_often_where_it_can) {
  std::vector<CaseLabels> cases;
  for (int i = 0; i < 300; ++i) {
    // Chapter I is ten times as frequent as the others, and CT four times as frequent as MRI.
    const int rest = i % 12;
    cases.push_back({{rest < 10 ? "I" : rest == 10 ? "II" : "III"}, {i % 5 > 0 ? "CT" : "MRI"}});
  }
  PythonRandom random(7);
  const std::vector<std::size_t> found = evenly_selected(cases, 60, random);
  ASSERT_EQ(found.size(), 60U);
  EXPECT_TRUE(std::is_sorted(found.begin(), found.end()));
  std::map<std::string, int> counts;
  for (const std::size_t at : found) {
    for (const auto& labels : cases[at]) ++counts[labels.front()];
  }
  EXPECT_EQ(counts["I"] + counts["II"] + counts["III"], 60);
  for (const char* chapter : {"I", "II", "III"}) EXPECT_NEAR(counts[chapter], 20, 4) << chapter;
  EXPECT_NEAR(counts["CT"], 30, 4);
  PythonRandom again(7);
  EXPECT_EQ(evenly_selected(cases, 60, again), found);
  EXPECT_EQ(evenly_selected(cases, 1000, again).size(), 300U);
  EXPECT_TRUE(evenly_selected({}, 5, again).empty());
}

}  // namespace
}  // namespace fiducial
