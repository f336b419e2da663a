#include "fiducial/terminal/text_table.h"

#include <gtest/gtest.h>

namespace fiducial {
namespace {

TEST(TextTable, aligns_names_left_and_numbers_right) {
  TextTable table;
  table.add({"", "train", "val"});
  table.add({"scans", "2,992", "50"});
  table.add_gap();
  table.add({"findings", "7", "115"});
  EXPECT_EQ(table.text(),
            "          train  val\n"
            "scans     2,992   50\n"
            "\n"
            "findings      7  115\n");
}

TEST(TextTable, counts_characters_not_bytes) {
  TextTable table({TextTable::Align::left, TextTable::Align::left});
  table.add({"\xC3\xA9t\xC3\xA9", "x"});
  table.add({"ete", "y"});
  EXPECT_EQ(table.text("  "), "  \xC3\xA9t\xC3\xA9  x\n  ete  y\n");
}

TEST(TextTable, wraps_a_column_of_words_where_the_terminal_is_narrow) {
  TextTable table({TextTable::Align::left, TextTable::Align::left});
  table.add_header({"name", "meaning"});
  table.add({"dice", "twice what both share over the sum of both"});
  EXPECT_EQ(table.text("", 30),
            "name  meaning\n"
            "dice  twice what both share\n"
            "        over the sum of both\n");
}

TEST(TextTable, puts_the_cells_of_a_row_below_its_first_where_no_column_can_be_wrapped) {
  TextTable table({TextTable::Align::left, TextTable::Align::left});
  table.add_header({"", "strict", "n", "official", "n"});
  table.add({"dice_per_case", "0.5000 [0.375, 0.625]", "3 cases", "0.2500", "2 cases"});
  EXPECT_EQ(table.text("  ", 45),
            "  dice_per_case\n"
            "    strict 0.5000 [0.375, 0.625]  n 3 cases\n"
            "    official 0.2500  n 2 cases\n");
  EXPECT_EQ(table.text("  ", 80), table.text("  "));
}

}  // namespace
}  // namespace fiducial
