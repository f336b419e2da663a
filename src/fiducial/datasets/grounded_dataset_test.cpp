#include "fiducial/datasets/grounded_dataset.h"

#include <gtest/gtest.h>

#include "fiducial/base/temporary_folder.h"

namespace fiducial {
namespace {

class ChooseSplit : public testing::Test {
 protected:
  Result<std::string> chosen(std::string_view document, const std::optional<std::string>& wanted = {}) {
    EXPECT_TRUE(write_file(folder_ / "dataset.json", document).ok());
    const Result<const DatasetAdapter*> adapter = find_dataset_adapter(folder_.path());
    EXPECT_TRUE(adapter.ok());
    const auto dataset = (*adapter)->open(folder_.path());
    return choose_split(**dataset, wanted);
  }

  TemporaryFolder folder_;
};

TEST_F(ChooseSplit, takes_test_then_val_then_validation) {
  EXPECT_EQ(*chosen(R"({"train": [], "val": [], "test": []})"), "test");
  EXPECT_EQ(*chosen(R"({"train": [], "validation": [], "val": []})"), "val");
  EXPECT_EQ(*chosen(R"({"train": [], "validation": []})"), "validation");
}

TEST_F(ChooseSplit, takes_the_wanted_one) {
  EXPECT_EQ(*chosen(R"({"train": [], "test": []})", "train"), "train");
}

TEST_F(ChooseSplit, refuses_an_unknown_split_and_lists_what_there_is) {
  const Result<std::string> split = chosen(R"({"train": [], "test": []})", "tset");
  ASSERT_FALSE(split.ok());
  EXPECT_EQ(split.error().code(), ErrorCode::bad_usage);
  EXPECT_EQ(split.error().text(),
            (folder_ / "dataset.json").string() + ": no split \"tset\"; there is train, test");
}

TEST_F(ChooseSplit, asks_for_a_choice_where_no_usual_split_is_there) {
  EXPECT_EQ(
      chosen(R"({"train": [], "pilot": []})").error().text(),
      (folder_ / "dataset.json").string() + ": no split \"test\"; choose one with --split: train, pilot");
}

TEST(DatasetAdapters, have_ids_titles_and_layouts) {
  for (const DatasetAdapter& adapter : all_dataset_adapters()) {
    EXPECT_FALSE(adapter.id.empty());
    EXPECT_FALSE(adapter.title.empty());
    EXPECT_FALSE(adapter.layout.empty());
  }
}

TEST(DatasetAdapters, say_what_they_look_for_in_a_folder_that_none_recognises) {
  const TemporaryFolder folder;
  const auto adapter = find_dataset_adapter(folder.path());
  ASSERT_FALSE(adapter.ok());
  EXPECT_EQ(adapter.error().text(),
            folder.path().string() +
                ": not a dataset folder we know; rexgroundingct has dataset.json (or "
                "MICCAI_challenge_dataset.json) and segmentations/; medthinkvqa has "
                "test.jsonl or test.parquet (or those of train) and images/; radgenome has "
                "tables such as vqa_presence.csv or validation_region_report.csv, in "
                "it or in radgenome_files/");
}

TEST(DatasetAdapters, refuse_a_folder_that_is_not_there) {
  EXPECT_EQ(find_dataset_adapter("no/such").error().text(), "no/such: no such dataset folder");
}

}  // namespace
}  // namespace fiducial
