#include "fiducial/curate/cases/discussion_edit.h"

#include <gtest/gtest.h>

namespace fiducial {
namespace {

using Names = std::vector<std::string>;

DiscussionEdit sarcoid_edit() {
  return {.field = "DISCUSSION",
          .before = "Sarcoidosis has nodes. Gout is unlikely, as joints are free. Lymphoma may look alike.",
          .allowed = {"Sarcoidosis", "Lymphoma"},
          .extras = {"Gout"}};
}

std::string objection_of(const std::string& after) {
  const auto refused = objection_to_cut(sarcoid_edit(), after);
  return refused ? refused->code : "";
}

TEST(DifferentialDiagnoses, are_cut_at_commas_officially_and_at_two_semicolons_strictly) {
  const Json item = Json::object({{"DIF_DIAGNOSIS_LIST", "Gout, acute;;Flu"}});
  EXPECT_EQ(differential_diagnoses(item, true), (Names{"Gout, acute", "Flu"}));
  EXPECT_EQ(differential_diagnoses(item, false), (Names{"Gout", "acute;;Flu"}));
}

TEST(DiscussionEdit, calls_diagnoses_extra_that_are_no_option) {
  const Json item = parse_json(R"({"discussion": "text", "options": ["Gout.", "Flu"],
                                   "DIF_DIAGNOSIS_LIST": ["gout", "Flu", "Lupus"]})")
                        .value();
  EXPECT_EQ(discussion_edit(item, true).extras, (Names{"Lupus"}));
  EXPECT_EQ(discussion_edit(item, false).extras, (Names{"gout", "Lupus"}));
  EXPECT_EQ(discussion_edit(item, true).field, "discussion");
}

TEST(DiscussionCut, may_drop_sentences_and_clauses) {
  EXPECT_EQ(objection_of("Sarcoidosis has nodes. Lymphoma may look alike."), "");
  EXPECT_EQ(objection_of("Sarcoidosis has nodes. Gout is unlikely. Lymphoma may look alike."), "");
}

TEST(DiscussionCut, may_not_add_a_sentence_or_a_word) {
  EXPECT_EQ(objection_of("Sarcoidosis has nodes. Lymphoma may look alike. Biopsy decides."),
            "sentence_added");
  EXPECT_EQ(objection_of("Sarcoidosis often has nodes. Lymphoma may look alike."), "sentence_added");
}

TEST(DiscussionCut, may_not_lose_a_diagnosis_that_is_allowed) {
  EXPECT_EQ(objection_of("Sarcoidosis has nodes."), "allowed_lost");
}

TEST(DiscussionCut, tells_which_sentences_are_gone) {
  EXPECT_EQ(removed_sentences(sarcoid_edit(), "Sarcoidosis has nodes. Lymphoma may look alike.").compact(),
            R"(["Gout is unlikely, as joints are free"])");
}

}  // namespace
}  // namespace fiducial
