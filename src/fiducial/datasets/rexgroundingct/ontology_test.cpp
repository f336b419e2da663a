#include "fiducial/datasets/rexgroundingct/ontology.h"

#include <string>

#include <gtest/gtest.h>

namespace fiducial::rexgroundingct {
namespace {

TEST(Ontology, knows_the_14_annotated_leaves_and_which_are_focal) {
  for (const char letter : std::string("abcdef")) {
    ASSERT_TRUE(find_category("1" + std::string(1, letter)));
    EXPECT_FALSE(find_category("1" + std::string(1, letter))->focal);
  }
  for (const char letter : std::string("abcdefgh")) {
    ASSERT_TRUE(find_category("2" + std::string(1, letter)));
    EXPECT_TRUE(find_category("2" + std::string(1, letter))->focal);
  }
}

TEST(Ontology, knows_no_other_code) {
  for (const char* code : {"", "1", "1g", "2i", "3a", "12", "2D", " 2d"}) {
    EXPECT_FALSE(find_category(code)) << code;
    EXPECT_EQ(category_group(code), "uncategorized") << code;
  }
  EXPECT_EQ(category_group("2d"), "2d");
}

}  // namespace
}  // namespace fiducial::rexgroundingct
