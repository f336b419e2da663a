#include "fiducial/cases/grounded_case.h"

#include <gtest/gtest.h>

namespace fiducial {
namespace {

TEST(CategoryGroup, is_the_code_where_the_ontology_has_it) {
  EXPECT_EQ(category_group({.category = "2d", .category_title = "nodule or mass"}), "2d");
}

TEST(CategoryGroup, is_uncategorized_for_no_code_and_for_one_that_the_ontology_lacks) {
  EXPECT_EQ(category_group({}), "uncategorized");
  EXPECT_EQ(category_group({.category = "9z"}), "uncategorized");
}

TEST(PatientOf, is_tag_and_number_of_a_ctrate_name) {
  EXPECT_EQ(patient_of("train_12_a_1.nii.gz"), "train_12");
  EXPECT_EQ(patient_of("valid_1304_h_5.nii.gz"), "valid_1304");
}

TEST(PatientOf, is_the_name_itself_where_it_says_nothing_about_a_patient) {
  EXPECT_EQ(patient_of("spine.nii.gz"), "spine.nii.gz");
  EXPECT_EQ(patient_of("train_12.nii.gz"), "train_12.nii.gz");
  EXPECT_EQ(patient_of("left_lung_a_1.nii.gz"), "left_lung_a_1.nii.gz");
  EXPECT_EQ(patient_of(""), "");
}

}  // namespace
}  // namespace fiducial
