#include "fiducial/anatomy/label_descriptions.h"

#include <gtest/gtest.h>

namespace fiducial {
namespace {

TEST(LabelDescriptions, are_read_as_itk_snap_writes_them) {
  const auto names = parse_label_descriptions(
      "################\n# ITK-SnAP Label Description File\n################\n"
      "    0     0    0    0        0  0  0    \"Clear Label\"\n"
      "    1   255    0    0        1  1  1    \"left lung\"\r\n"
      "   12     0  255    0      0.5  1  0    \"a, \"b\"\"\n");
  ASSERT_TRUE(names.ok()) << names.error().text();
  EXPECT_EQ(*names, (LabelNames{{1, "left lung"}, {12, "a, \"b\""}}));
}

TEST(LabelDescriptions, come_back_from_masks) {
  const Grid grid{{2, 2, 2}, Affine::identity()};
  MaskCollection masks{.grid = grid};
  for (const auto& [id, name] : {std::pair(3U, "aorta"), std::pair(7U, "lung")})
    masks.masks.push_back({{.name = name, .id = id, .code = {}}, LabelMap(grid, {{0, 0, 1, 1}})});
  const auto names = parse_label_descriptions(label_descriptions(masks));
  ASSERT_TRUE(names.ok()) << names.error().text();
  EXPECT_EQ(*names, (LabelNames{{3, "aorta"}, {7, "lung"}}));
}

TEST(LabelDescriptions, name_the_line_that_is_wrong) {
  EXPECT_EQ(parse_label_descriptions("# x\n1 2 3\n").error().text(),
            "line 2: expected seven numbers before the name of a label");
  EXPECT_EQ(parse_label_descriptions("1 0 0 0 1 1 1 lung\n").error().text(),
            "line 1: expected the name of the label in quotes, found lung");
  EXPECT_EQ(parse_label_descriptions("1 0 0 0 1 1 1 \"a\"\n1 0 0 0 1 1 1 \"b\"\n").error().text(),
            "line 2: label 1 stands twice");
}

}  // namespace
}  // namespace fiducial
