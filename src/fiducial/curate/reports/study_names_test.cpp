#include "fiducial/curate/reports/study_names.h"

#include <gtest/gtest.h>

#include "fiducial/base/temporary_folder.h"
#include "fiducial/curate/reports/report_folder.h"

namespace fiducial {
namespace {

TEST(StudyNames, take_the_first_reconstruction_of_a_scan) {
  const StudyNames names = study_names("valid_53_a", "", std::nullopt);
  EXPECT_EQ(names.region, "valid_53_a_1.nii.gz");
  EXPECT_EQ(names.grounding, "valid_53_a_1.nii.gz");
  EXPECT_EQ(names.split, "validation");
}

TEST(StudyNames, take_the_first_reconstruction_that_is_there) {
  const TemporaryFolder folder;
  ASSERT_TRUE(write_file(folder / "train_7_b_2.nii.gz", std::string_view("x")).ok());
  EXPECT_EQ(study_names("train_7_b", "", folder.path()).region, "train_7_b_2.nii.gz");
}

TEST(StudyNames, keep_the_name_of_a_volume) {
  EXPECT_EQ(study_names("train_7_b_2", "", std::nullopt).region, "train_7_b_2.nii.gz");
  EXPECT_EQ(study_names("train_7_b_2.nii.gz", "", std::nullopt).region, "train_7_b_2.nii.gz");
  EXPECT_EQ(study_names("p1_a_1", "", std::nullopt).region, "p1_a_1.nii.gz");
  EXPECT_EQ(study_names("other", "", std::nullopt).split, "");
}

TEST(StudyNames, annotate_the_volume_that_the_table_names) {
  const StudyNames names = study_names("train_7_b", "train_7_b_4.nii.gz", std::nullopt);
  EXPECT_EQ(names.grounding, "train_7_b_4.nii.gz");
  EXPECT_EQ(names.region, "train_7_b_1.nii.gz");
}

TEST(ReportNames, are_names_of_files_only_without_paths_and_hidden_ones) {
  for (const char* name : {"train_1_a", "a.b-c", "9"}) EXPECT_TRUE(names_a_file(name)) << name;
  for (const char* name : {"", ".hidden", "../up", "a/b", "a b", "-x"})
    EXPECT_FALSE(names_a_file(name)) << name;
}

}  // namespace
}  // namespace fiducial
