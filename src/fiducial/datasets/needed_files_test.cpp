#include "fiducial/datasets/needed_files.h"

#include <gtest/gtest.h>

namespace fiducial {
namespace {

TEST(NeededFiles, knows_where_ctrate_keeps_a_volume) {
  EXPECT_EQ(ctrate_path("train_12_a_1.nii.gz"),
            "dataset/train_fixed/train_12/train_12_a/train_12_a_1.nii.gz");
  EXPECT_EQ(ctrate_path("valid_3_b_2"), "dataset/valid_fixed/valid_3/valid_3_b/valid_3_b_2.nii.gz");
  EXPECT_EQ(ctrate_path("scan.nii.gz"), std::nullopt);
  EXPECT_EQ(ctrate_path("../train_1_a_1"), std::nullopt);
}

}  // namespace
}  // namespace fiducial
