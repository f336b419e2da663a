#include "fiducial/findings/ontology.h"

#include <set>

#include <gtest/gtest.h>

#include "fiducial/findings/finding_phrases.h"

namespace fiducial {
namespace {

TEST(Ontology, has_62_codes_each_once) {
  std::set<std::string_view> codes;
  for (const OntologyCode& each : ontology_codes()) EXPECT_TRUE(codes.insert(each.code).second) << each.code;
  EXPECT_EQ(codes.size(), 62U);
}

TEST(Ontology, has_a_title_of_its_own_for_every_code) {
  std::set<std::string_view> titles;
  for (const OntologyCode& each : ontology_codes())
    EXPECT_TRUE(titles.insert(each.title).second) << each.code;
}

TEST(Ontology, has_a_rule_for_every_code_and_no_rule_for_another) {
  std::set<std::string> known;
  for (const OntologyCode& each : ontology_codes()) known.emplace(each.code);
  const std::vector<std::string>& ruled = category_rules().names();
  EXPECT_EQ(std::set<std::string>(ruled.begin(), ruled.end()), known);
}

TEST(Ontology, says_which_codes_are_annotated_and_focal) {
  for (const OntologyCode& each : ontology_codes()) {
    const bool is_leaf_of_1_or_2 =
        each.code.size() == 2 && (each.code[0] == '1' || each.code[0] == '2') && each.code[1] >= 'a';
    EXPECT_EQ(each.annotated, is_leaf_of_1_or_2) << each.code;
    EXPECT_EQ(each.focal.has_value(), is_leaf_of_1_or_2) << each.code;
    EXPECT_EQ(each.focal.value_or(false), each.code[0] == '2' && is_leaf_of_1_or_2) << each.code;
  }
}

TEST(Ontology, finds_a_code_by_its_exact_spelling) {
  ASSERT_NE(find_ontology_code("2d"), nullptr);
  EXPECT_EQ(find_ontology_code("2d")->title, "nodule or mass");
  for (const char* code : {"", "1", "1g", "2D", " 2d", "13"}) EXPECT_EQ(find_ontology_code(code), nullptr);
}

TEST(Ontology, reads_as_groups_with_their_codes) {
  const std::string text = ontology_text();
  EXPECT_TRUE(
      text.starts_with("Lungs, airways and pleura, typically not focal: 1a bronchial wall thickening,"));
  EXPECT_NE(text.find(". Bones without a lesion: 4a fracture, 4b"), std::string::npos);
  EXPECT_TRUE(text.ends_with("11c other. Anything else: 12."));
}

}  // namespace
}  // namespace fiducial
