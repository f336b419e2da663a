#include "fiducial/drawing/description_drawings.h"

#include <gtest/gtest.h>

namespace fiducial {
namespace {

DatasetDescription described_example() {
  DescribedDistribution kinds{.name = "kinds", .title = "Kinds", .labels_are_names = true, .labels = {"CT"}};
  kinds.series = {{.name = "test", .things = "scans", .whole = 4, .counts = {{1, "test, CT"}}}};
  DescribedDistribution scale{.name = "scale", .title = "Scale", .in_shares = false, .labels = {"test"}};
  scale.series = {{.name = "images", .whole = 7, .counts = {{7, "test"}}}};
  return {.distributions = {kinds, scale}};
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
