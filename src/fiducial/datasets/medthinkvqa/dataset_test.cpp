#include "fiducial/datasets/medthinkvqa/dataset.h"

#include <gtest/gtest.h>

#include "fiducial/base/number_text.h"
#include "fiducial/base/temporary_folder.h"

namespace fiducial::medthinkvqa {
namespace {

std::string row(int number) {
  return R"({"title":"Case number )" + decimal(number) +
         R"(","options":{"A":"a","B":"b","C":"c","D":"d","E":"e"},"correct_answer":"C"})";
}

Result<DiagnosisSplit> read(const TemporaryFolder& folder) {
  const Result<Dataset> dataset = Dataset::open(folder.path());
  if (!dataset.ok()) return dataset.error();
  return dataset->read_split("test");
}

TEST(MedThinkVqaDataset, orders_cases_by_number_and_hashes_the_file) {
  const TemporaryFolder folder;
  const std::string text = row(10) + "\n\n" + row(9) + "\r\n";
  ASSERT_TRUE(write_file(folder / "test.jsonl", text).ok());
  const auto split = read(folder);
  ASSERT_TRUE(split.ok());
  ASSERT_EQ(split->cases.size(), 2U);
  EXPECT_EQ(split->cases[0].number, 9);
  EXPECT_EQ(split->digest, sha256(as_bytes(text)));
}

TEST(MedThinkVqaDataset, names_the_line_of_a_broken_row) {
  const TemporaryFolder folder;
  ASSERT_TRUE(write_file(folder / "test.jsonl", row(1) + "\n\n{\"title\":1}\n").ok());
  const auto split = read(folder);
  ASSERT_FALSE(split.ok());
  EXPECT_EQ(split.error().place().line, 3U);
}

TEST(MedThinkVqaDataset, refuses_a_case_that_occurs_twice_and_a_file_without_cases) {
  const TemporaryFolder folder;
  ASSERT_TRUE(write_file(folder / "test.jsonl", row(1) + "\n" + row(1) + "\n").ok());
  EXPECT_FALSE(read(folder).ok());
  ASSERT_TRUE(write_file(folder / "test.jsonl", "\n").ok());
  EXPECT_FALSE(read(folder).ok());
}

TEST(MedThinkVqaDataset, refuses_a_pointer_of_git_lfs) {
  const TemporaryFolder folder;
  ASSERT_TRUE(
      write_file(folder / "test.parquet", "version https://git-lfs.github.com/spec/v1\noid x\n").ok());
  const auto split = read(folder);
  ASSERT_FALSE(split.ok());
  EXPECT_NE(split.error().text().find("Git LFS"), std::string::npos);
}

TEST(MedThinkVqaDataset, prefers_jsonl_to_parquet) {
  const TemporaryFolder folder;
  ASSERT_TRUE(write_file(folder / "test.jsonl", row(1)).ok());
  ASSERT_TRUE(write_file(folder / "test.parquet", "garbage").ok());
  EXPECT_TRUE(read(folder).ok());
}

}  // namespace
}  // namespace fiducial::medthinkvqa
