#include "fiducial/datasets/dataset_adapter.h"

#include <set>

#include <gtest/gtest.h>

#include "fiducial/base/temporary_folder.h"

namespace fiducial {
namespace {

TEST(DatasetAdapters, have_ids_titles_and_layouts) {
  for (const DatasetAdapter& adapter : all_dataset_adapters()) {
    EXPECT_FALSE(adapter.id.empty());
    EXPECT_FALSE(adapter.title.empty());
    EXPECT_FALSE(adapter.layout.empty());
  }
}

TEST(DatasetAdapters, name_tasks_and_a_way_to_read_what_they_score) {
  for (const DatasetAdapter& adapter : all_dataset_adapters()) {
    EXPECT_FALSE(adapter.tasks.empty()) << adapter.id;
    EXPECT_EQ(std::set(adapter.tasks.begin(), adapter.tasks.end()).size(), adapter.tasks.size())
        << adapter.id;
    EXPECT_TRUE(adapter.open_grounded || adapter.open_questions || adapter.open_tables) << adapter.id;
  }
}

TEST(DatasetAdapters, check_a_single_table_by_the_rules_of_tables) {
  const TemporaryFolder folder;
  ASSERT_TRUE(write_file(folder / "questions.csv", "Question,Answer\n").ok());
  EXPECT_EQ((*find_lint_adapter(folder / "questions.csv"))->id, "radgenome");
  EXPECT_FALSE(find_lint_adapter(folder.path()).ok());
}

TEST(DatasetAdapters, say_what_they_look_for_in_a_folder_that_none_recognises) {
  const TemporaryFolder folder;
  const auto adapter = find_dataset_adapter(folder.path());
  ASSERT_FALSE(adapter.ok());
  EXPECT_EQ(
      adapter.error().text(),
      folder.path().string() +
          ": not a dataset folder we know; controls has dataset.json, segmentations/ and controls.jsonl; "
          "rexgroundingct has dataset.json (or MICCAI_challenge_dataset.json) and segmentations/, or an "
          "export for Hugging Face; medthinkvqa has "
          "test.jsonl or test.parquet (or those of train), whole, in shards or saved by datasets, and "
          "images/; radgenome has "
          "tables such as vqa_presence.csv or validation_region_report.csv, in "
          "it or in radgenome_files/");
}

TEST(DatasetAdapters, refuse_a_folder_that_is_not_there) {
  EXPECT_EQ(find_dataset_adapter("no/such").error().text(), "no/such: no such dataset folder");
}

}  // namespace
}  // namespace fiducial
