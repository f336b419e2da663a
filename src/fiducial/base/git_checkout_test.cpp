#include "fiducial/base/git_checkout.h"

#include <gtest/gtest.h>

#include "fiducial/base/temporary_folder.h"

namespace fiducial {
namespace {

const std::string commit(40, 'a');
const std::string other(40, 'b');

void put(const Path& file, const std::string& text) {
  std::filesystem::create_directories(file.parent_path());
  ASSERT_TRUE(write_file(file, std::string_view(text)).ok());
}

TEST(GitCheckout, has_the_commit_of_its_branch_from_any_folder_in_it) {
  const TemporaryFolder folder;
  put(folder.path() / ".git/HEAD", "ref: refs/heads/main\n");
  put(folder.path() / ".git/refs/heads/main", commit + "\n");
  put(folder.path() / "prompts/direct.txt", "x");
  EXPECT_EQ(*checked_out_commit(folder.path() / "prompts"), commit);
  put(folder.path() / ".git/HEAD", other + "\n");
  EXPECT_EQ(*checked_out_commit(folder.path()), other);
}

TEST(GitCheckout, reads_packed_branches_and_worktrees) {
  const TemporaryFolder folder;
  put(folder.path() / "main/.git/packed-refs", "# pack-refs with: peeled\n" + other + " refs/heads/mainly\n" +
                                                   commit + " refs/heads/main\n^" + other + "\n");
  put(folder.path() / "main/.git/HEAD", "ref: refs/heads/main\n");
  EXPECT_EQ(*checked_out_commit(folder.path() / "main"), commit);
  put(folder.path() / "main/.git/worktrees/w/HEAD", "ref: refs/heads/mainly\n");
  put(folder.path() / "main/.git/worktrees/w/commondir", "../..\n");
  put(folder.path() / "w/.git", "gitdir: ../main/.git/worktrees/w\n");
  EXPECT_EQ(*checked_out_commit(folder.path() / "w"), other);
}

TEST(GitCheckout, refuses_a_head_that_leads_nowhere) {
  const TemporaryFolder folder;
  for (const char* head : {"ref: refs/heads/none\n", "ref: ../../secret\n", "words\n", ""}) {
    put(folder.path() / ".git/HEAD", head);
    EXPECT_FALSE(checked_out_commit(folder.path()).ok()) << head;
  }
}

}  // namespace
}  // namespace fiducial
