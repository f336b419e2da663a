#include "fiducial/table/worksheet.h"

#include <gtest/gtest.h>

namespace fiducial {
namespace {

TEST(Worksheet, places_cells_of_every_type) {
  const auto shared = parse_shared_strings(
      "<?xml version=\"1.0\"?><sst><si><t>title</t></si><si><r><t>a </t></r><r><t>&amp; b</t></r>"
      "<rPh><t>no</t></rPh></si></sst>");
  ASSERT_TRUE(shared.ok()) << shared.error().text();
  EXPECT_EQ((*shared)[1], "a & b");
  const auto table = parse_worksheet(
      "<worksheet><sheetData><row r=\"1\"><c r=\"A1\" t=\"s\"><v>0</v></c><c r=\"B1\" t=\"inlineStr\"><is>"
      "<t>x</t></is></c><c r=\"D1\" t=\"str\"><f>1+1</f><v>y</v></c><c "
      "r=\"C1x\"/></row></sheetData></worksheet>",
      *shared);
  EXPECT_FALSE(table.ok());  // C after D
  const auto good = parse_worksheet(
      "<x:worksheet xmlns:x=\"u\"><row><c r=\"A1\" t=\"s\"><v>0</v></c><c r=\"B1\" "
      "t=\"inlineStr\"><is><t>x</t></is></c>"
      "<c t=\"str\"><f>1+1</f><v>y</v></c></row><row/><row><c r=\"B9\" t=\"b\"><v>1</v></c><c "
      "r=\"C9\"><v>1.5</v></c>"
      "</row><row><c r=\"A10\" t=\"s\"><v>1</v></c></row></x:worksheet>",
      *shared);
  ASSERT_TRUE(good.ok()) << good.error().text();
  EXPECT_EQ(good->columns(), (std::vector<std::string>{"title", "x", "y"}));
  ASSERT_EQ(good->rows(), 2U);
  EXPECT_EQ(good->cell(0, 0), "");
  EXPECT_EQ(good->cell(0, 1), "TRUE");
  EXPECT_EQ(good->cell(0, 2), "1.5");
  EXPECT_EQ(good->cell(1, 0), "a & b");
}

TEST(Worksheet, refuses_what_is_no_table) {
  const std::vector<std::string> shared{"a"};
  for (const char* sheet :
       {"", "<worksheet/>", "<row><c t=\"s\"><v>1</v></c></row>", "<row><c r=\"7\"><v>1</v></c></row>",
        "<w><row><c><v>a</v></c></row><row><c r=\"B2\"><v>b</v></c></row></w>",
        "<row><c><v>a</v></c><c><v>a</v></c></row>", "<row><c r=\"ZZZZ1\"><v>1</v></c></row>"}) {
    EXPECT_FALSE(parse_worksheet(sheet, shared).ok()) << sheet;
  }
}

TEST(Worksheet, is_the_first_of_its_workbook) {
  const std::string workbook =
      "<workbook><sheets><sheet name=\"x\" sheetId=\"4\" r:id=\"rId3\"/></sheets></workbook>";
  EXPECT_EQ(*first_sheet(workbook,
                         "<a><Relationship Id=\"rId1\" Target=\"t\"/><Relationship Id=\"rId3\" "
                         "Target=\"/xl/worksheets/s.xml\"/></a>"),
            "worksheets/s.xml");
  EXPECT_FALSE(first_sheet(workbook, "<a/>").ok());
  EXPECT_FALSE(first_sheet("<workbook/>", "<a/>").ok());
}

}  // namespace
}  // namespace fiducial
