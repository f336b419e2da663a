#include "fiducial/datasets/rexgroundingct/dataset.h"

#include <gtest/gtest.h>

#include "fiducial/base/temporary_folder.h"

namespace fiducial::rexgroundingct {
namespace {

class DatasetFolder : public testing::Test {
 protected:
  void write(const std::string& name, std::string_view text = "x") {
    const Path path = folder_ / name;
    std::filesystem::create_directories(path.parent_path());
    ASSERT_TRUE(write_file(path, text).ok());
  }

  Path found_volume(const std::string& name) {
    return find_volume(folder_.path(), name).value_or("").lexically_relative(folder_.path());
  }

  TemporaryFolder folder_;
};

constexpr std::string_view one_case = R"({"test": [{"seg_path": "train_7_b_2.nii.gz"}]})";

TEST_F(DatasetFolder, opens_by_its_dataset_json_first) {
  write("dataset.json", one_case);
  write("MICCAI_challenge_dataset.json", R"({"val": []})");
  const Result<Dataset> dataset = Dataset::open(folder_.path());
  ASSERT_TRUE(dataset.ok());
  EXPECT_EQ(dataset->file_name(), "dataset.json");
  EXPECT_EQ(dataset->split_names(), std::vector<std::string>{"test"});
  EXPECT_EQ(dataset->digest(), sha256(as_bytes(one_case)));
}

TEST_F(DatasetFolder, opens_by_the_challenge_file_where_there_is_no_other) {
  write("MICCAI_challenge_dataset.json", one_case);
  EXPECT_EQ(Dataset::open(folder_.path())->file_name(), "MICCAI_challenge_dataset.json");
}

TEST_F(DatasetFolder, has_masks_below_segmentations_or_beside_the_dataset_file) {
  write("dataset.json", one_case);
  const Result<Dataset> dataset = Dataset::open(folder_.path());
  const GroundedCase& entry = dataset->find_split("test")->front();
  EXPECT_EQ(dataset->mask_name(entry), "segmentations/train_7_b_2.nii.gz");
  EXPECT_FALSE(dataset->open_mask(entry).ok());
  write("train_7_b_2.nii.gz", "beside");
  EXPECT_EQ(dataset->mask_name(entry), "train_7_b_2.nii.gz");
  write("segmentations/train_7_b_2.nii.gz", "below");
  EXPECT_EQ(dataset->mask_name(entry), "segmentations/train_7_b_2.nii.gz");
  EXPECT_EQ(dataset->open_mask(entry)->size, 5U);
}

TEST_F(DatasetFolder, names_the_file_and_place_of_an_error) {
  write("dataset.json", R"({"test": [{"name": 1}]})");
  const Result<Dataset> dataset = Dataset::open(folder_.path());
  ASSERT_FALSE(dataset.ok());
  EXPECT_EQ(dataset.error().text(),
            (folder_ / "dataset.json").string() + ", at /test/0/name: expected string, found integer");
}

TEST_F(DatasetFolder, finds_volumes_by_the_path_rule_of_ctrate) {
  EXPECT_FALSE(find_volume(folder_.path(), "train_7_b_2.nii.gz"));
  write("train_7/train_7_b/train_7_b_2.nii.gz");
  EXPECT_EQ(found_volume("train_7_b_2.nii.gz"), "train_7/train_7_b/train_7_b_2.nii.gz");
  write("train_fixed/train_7/train_7_b/train_7_b_2.nii.gz");
  EXPECT_EQ(found_volume("train_7_b_2.nii.gz"), "train_fixed/train_7/train_7_b/train_7_b_2.nii.gz");
  write("dataset/train_fixed/train_7/train_7_b/train_7_b_2.nii.gz");
  EXPECT_EQ(found_volume("train_7_b_2.nii.gz"), "dataset/train_fixed/train_7/train_7_b/train_7_b_2.nii.gz");
  write("train_7_b_2.nii.gz");
  EXPECT_EQ(found_volume("train_7_b_2.nii.gz"), "train_7_b_2.nii.gz");
}

TEST_F(DatasetFolder, finds_volumes_in_the_original_trees_after_the_fixed_ones) {
  write("train/train_7/train_7_b/train_7_b_2.nii.gz");
  EXPECT_EQ(found_volume("train_7_b_2.nii.gz"), "train/train_7/train_7_b/train_7_b_2.nii.gz");
  write("dataset/train/train_7/train_7_b/train_7_b_2.nii.gz");
  EXPECT_EQ(found_volume("train_7_b_2.nii.gz"), "dataset/train/train_7/train_7_b/train_7_b_2.nii.gz");
  write("train_fixed/train_7_b_2.nii.gz");
  EXPECT_EQ(found_volume("train_7_b_2.nii.gz"), "train_fixed/train_7_b_2.nii.gz");
  write("valid/valid_1/valid_1_a/valid_1_a_1.nii.gz");
  EXPECT_EQ(found_volume("valid_1_a_1.nii.gz"), "valid/valid_1/valid_1_a/valid_1_a_1.nii.gz");
}

TEST_F(DatasetFolder, finds_volumes_under_the_root_of_their_name_never_of_their_split) {
  write("dataset/valid_fixed/valid_7/valid_7_b/valid_7_b_2.nii.gz");
  write("dataset/train_fixed/valid_8/valid_8_a/valid_8_a_1.nii.gz");
  EXPECT_EQ(found_volume("valid_7_b_2.nii.gz"), "dataset/valid_fixed/valid_7/valid_7_b/valid_7_b_2.nii.gz");
  EXPECT_FALSE(find_volume(folder_.path(), "valid_8_a_1.nii.gz"));
}

TEST_F(DatasetFolder, finds_no_volume_by_rule_for_a_name_without_one) {
  write("spines/spine.nii.gz");
  EXPECT_FALSE(find_volume(folder_.path(), "spine.nii.gz"));
  EXPECT_FALSE(find_volume(folder_.path(), "_.nii.gz"));
}

}  // namespace
}  // namespace fiducial::rexgroundingct
