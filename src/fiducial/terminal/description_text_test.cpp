#include "fiducial/terminal/description_text.h"

#include <gtest/gtest.h>

namespace fiducial {
namespace {

DatasetDescription described_sections() {
  DescribedSection totals{.rows = {{"scans", {std::int64_t{1200}, std::int64_t{0}}},
                                   {"findings a scan", {DescribedRange{1, 3}, {}}},
                                   {"mean", {DescribedMean{1.005}, {}}, true}}};
  DescribedSection parts{.title = "by kind", .rows = {{"CT", {DescribedShare{0.5}, {}}, true}}};
  return {.columns = {"test", "all"}, .sections = {totals, {}, parts}, .lines = {"a line"}};
}

TEST(DescriptionText, has_a_column_a_split_and_gaps_between_sections) {
  EXPECT_EQ(description_text(described_sections()),
            "                   test  all\n"
            "scans             1,200    0\n"
            "findings a scan    1..3    -\n"
            "  mean             1.00    -\n"
            "\n"
            "by kind\n"
            "  CT             50.0 %    -\n"
            "a line\n");
}

TEST(DescriptionText, of_lines_alone_has_no_table) {
  EXPECT_EQ(description_text({.lines = {"one", "two"}}), "one\ntwo\n");
}

}  // namespace
}  // namespace fiducial
