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

}  // namespace
}  // namespace fiducial
