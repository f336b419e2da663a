#include "fiducial/curate/cases/case_annotation.h"

#include <gtest/gtest.h>

namespace fiducial {
namespace {

Icd10Table small_table() {
  const Icd10Source source{.chapters = "13;Musculoskeletal\n",
                           .groups = "M30;M36;13;Connective tissue\n",
                           .codes = "3;N;X;13;M30;x;x;M33;Dermatopolymyositis;;;;;;;;\n"};
  return Icd10Table::build(source, {.chapters = 1, .blocks = 1, .categories = 1}).value();
}

Json icd10_reply(const char* chapter, const char* block, const char* category) {
  return Json::object(
      {{"icd10",
        Json::object(
            {{"chapter", chapter}, {"block", block}, {"category", category}, {"evidence", "rash"}})}});
}

Json longitudinal_reply(const char* is_longitudinal, Json timepoints) {
  return Json::object({{"longitudinal", Json::object({{"is_longitudinal", is_longitudinal},
                                                      {"timepoint_count", std::move(timepoints)},
                                                      {"timepoint_evidence", Json::Array{}},
                                                      {"interval_text", "two weeks"},
                                                      {"evidence", "follow-up"}})}});
}

TEST(Annotation, takes_chapter_block_and_titles_from_the_table) {
  const Icd10Table table = small_table();
  const Annotation found =
      annotation_of(icd10_reply("I", "A00-A09", "m33.1"), AnnotationTasks::icd10, &table, false);
  EXPECT_EQ(found.category, "M33 - Dermatopolymyositis");
  EXPECT_EQ(found.chapter, "Chapter XIII - Musculoskeletal");
  EXPECT_EQ(found.mismatch, "table_mismatch");
}

TEST(Annotation, has_no_mismatch_where_the_model_says_what_the_table_says) {
  const Icd10Table table = small_table();
  const Annotation found =
      annotation_of(icd10_reply("Chapter XIII", "M30-M36", "M33"), AnnotationTasks::icd10, &table, false);
  EXPECT_EQ(found.mismatch, "");
}

TEST(Annotation, leaves_an_unknown_category_empty) {
  const Icd10Table table = small_table();
  const Annotation found =
      annotation_of(icd10_reply("Chapter XIII", "M30-M36", "Z99"), AnnotationTasks::icd10, &table, false);
  EXPECT_EQ(found.category, "");
  EXPECT_EQ(found.mismatch, "category_unknown");
}

TEST(Annotation, asks_two_timepoints_of_a_case_that_follows_a_patient) {
  const auto of = [](const char* said, Json count) {
    return annotation_of(longitudinal_reply(said, std::move(count)), AnnotationTasks::longitudinal, nullptr,
                         false);
  };
  EXPECT_EQ(of("yes", 2).mismatch, "");
  EXPECT_EQ(of("YES", 1).mismatch, "too_few_timepoints");
  EXPECT_EQ(of("no", 1).mismatch, "");
  EXPECT_EQ(of("yes", 2).interval, "two weeks");
  EXPECT_EQ(of("no", 2).interval, std::nullopt);
  EXPECT_EQ(of("yes", -4).timepoints, 0);
}

TEST(Annotation, is_refused_strictly_where_the_reply_lacks_what_was_asked) {
  const Icd10Table table = small_table();
  EXPECT_NE(annotation_of(longitudinal_reply("yes", 2), AnnotationTasks::icd10, &table, true).objection, "");
  EXPECT_NE(annotation_of(Json("text"), AnnotationTasks::icd10, &table, true).objection, "");
}

TEST(AnnotationRequest, shows_neither_images_nor_differential_diagnoses) {
  Item item{.value = parse_json(R"({"title": "Case 1", "CLINICAL_HISTORY": "Pain", "final_diagnosis": "Gout",
                                    "DIF_DIAGNOSIS_LIST": ["Pseudogout"], "image_01_path": "secret.jpg"})")
                         .value()};
  const ModelRequest request =
      annotation_request(annotated_case(item), AnnotationTasks::icd10, "TABLE", true);
  EXPECT_NE(request.user.find("Pain"), std::string::npos);
  EXPECT_NE(request.user.find("Gout"), std::string::npos);
  EXPECT_EQ(request.user.find("Pseudogout"), std::string::npos);
  EXPECT_EQ(request.user.find("secret.jpg"), std::string::npos);
}

TEST(AnnotationRequest, puts_the_table_first_so_that_requests_share_a_long_prefix) {
  const AnnotatedCase item{.id = "a", .history = "HISTORY", .diagnosis = "Gout"};
  const auto user = [&item](bool first) {
    return annotation_request(item, AnnotationTasks::icd10, "TABLE", first).user;
  };
  EXPECT_LT(user(true).find("TABLE"), user(true).find("HISTORY"));
  EXPECT_GT(user(false).find("TABLE"), user(false).find("HISTORY"));
}

}  // namespace
}  // namespace fiducial
