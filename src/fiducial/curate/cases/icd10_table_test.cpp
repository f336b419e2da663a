#include "fiducial/curate/cases/icd10_table.h"

#include <gtest/gtest.h>

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

}  // namespace
}  // namespace fiducial
