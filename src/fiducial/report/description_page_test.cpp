#include "fiducial/report/description_page.h"

#include <gtest/gtest.h>

namespace fiducial {
namespace {

DatasetDescription described_example() {
  DescribedSection totals{.rows = {{"scans", {std::int64_t{1200}, std::int64_t{0}}},
                                   {"findings a scan", {DescribedRange{1, 3}, {}}},
                                   {"mean", {DescribedMean{1.005}, {}}, true}}};
  DescribedSection parts{.title = "by kind", .rows = {{"CT", {DescribedShare{0.5}, {}}, true}}};
  DescribedDistribution kinds{.name = "kinds", .title = "Kinds", .labels_are_names = true, .labels = {"CT"}};
  kinds.series = {{.name = "test", .things = "scans", .whole = 4, .counts = {{1, "test, CT"}}}};
  DescribedDistribution scale{.name = "scale", .title = "Scale", .in_shares = false, .labels = {"test"}};
  scale.series = {{.name = "images", .whole = 7, .counts = {{7, "test"}}}};
  return {.columns = {"test", "all"},
          .sections = {totals, {}, parts},
          .lines = {"a line"},
          .distributions = {kinds, scale}};
}

TEST(DescriptionText, has_a_column_a_split_and_gaps_between_sections) {
  EXPECT_EQ(description_text(described_example()),
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

TEST(DescriptionDrawings, tell_shares_with_their_counts_and_counts_by_their_name) {
  const std::vector<Drawing> drawings = description_drawings(described_example());
  ASSERT_EQ(drawings.size(), 2U);
  EXPECT_EQ(drawings[0].file, "kinds.svg");
  EXPECT_NE(drawings[0].svg.find("test, CT: 1 (25.0 %)"), std::string::npos);
  EXPECT_NE(drawings[0].svg.find("test (4 scans)"), std::string::npos);
  EXPECT_EQ(drawings[1].file, "scale.svg");
  EXPECT_NE(drawings[1].svg.find("test: 7 images"), std::string::npos);
  EXPECT_NE(drawings[1].svg.find("images (7)"), std::string::npos);
}

}  // namespace
}  // namespace fiducial
