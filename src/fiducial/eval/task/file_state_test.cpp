#include "fiducial/eval/task/file_state.h"

#include <gtest/gtest.h>

#include "fiducial/base/temporary_folder.h"

namespace fiducial {
namespace {

TEST(FileState, changes_with_any_file_below_it_even_if_its_size_stays) {
  const TemporaryFolder folder;
  const Path data = folder.path() / "data";
  std::filesystem::create_directories(data / "masks");
  ASSERT_TRUE(write_file(data / "masks/heart.nii", "ab").ok());
  const Digest before = state_of_files(data);
  EXPECT_EQ(state_of_files(data), before);
  ASSERT_TRUE(write_file(data / "masks/liver.nii", "").ok());
  const Digest with_another = state_of_files(data);
  EXPECT_NE(with_another, before);
  std::filesystem::rename(data / "masks/liver.nii", data / "masks/lung.nii");
  EXPECT_NE(state_of_files(data), with_another);
  const Digest last = state_of_files(data);
  ASSERT_TRUE(write_file(data / "masks/heart.nii", "ba").ok());
  EXPECT_NE(state_of_files(data), last);
}

TEST(FileState, leaves_hidden_files_out) {
  const TemporaryFolder folder;
  ASSERT_TRUE(write_file(folder.path() / "answers.csv", "1").ok());
  const Digest before = state_of_files(folder.path());
  ASSERT_TRUE(write_file(folder.path() / ".out.journal", "1").ok());
  EXPECT_EQ(state_of_files(folder.path()), before);
}

TEST(FileState, follows_links_that_lead_in_circles_to_an_end) {
  const TemporaryFolder folder;
  std::filesystem::create_directory_symlink(folder.path(), folder.path() / "again");
  EXPECT_EQ(state_of_files(folder.path()), state_of_files(folder.path()));
}

}  // namespace
}  // namespace fiducial
