#include "fiducial/base/unfinished_paths.h"

#include <csignal>
#include <sys/wait.h>
#include <unistd.h>

#include <gtest/gtest.h>

#include "fiducial/base/file.h"
#include "fiducial/base/number_text.h"
#include "fiducial/base/temporary_folder.h"

namespace fiducial {
namespace {

// How a child ends that does this and is then interrupted.
template <typename Work>
int ended_by_an_interruption(const Work& work) {
  const pid_t child = ::fork();
  if (child == 0) {
    install_cleanup_signals();
    work();
    ::raise(SIGINT);
    ::_exit(0);
  }
  int status = 0;
  ::waitpid(child, &status, 0);
  return status;
}

TEST(UnfinishedPaths, are_removed_with_all_they_hold_when_a_signal_ends_the_process) {
  const TemporaryFolder folder;
  const Path work = folder.path() / "work";
  const int status = ended_by_an_interruption([&] {
    std::filesystem::create_directories(work / "deep/er");
    for (int i = 0; i < 300; ++i) (void)write_file(work / ("deep/a_file_" + decimal(i)), "x").ok();
    std::filesystem::create_symlink(folder.path(), work / "deep/link");
    note_unfinished(work);
  });
  EXPECT_TRUE(WIFSIGNALED(status) && WTERMSIG(status) == SIGINT);
  EXPECT_FALSE(std::filesystem::exists(work));
  EXPECT_TRUE(std::filesystem::exists(folder.path()));
}

TEST(UnfinishedPaths, that_were_finished_stay) {
  const TemporaryFolder folder;
  const Path work = folder.path() / "work";
  const int status = ended_by_an_interruption([&] {
    std::filesystem::create_directories(work);
    note_unfinished(work);
    forget_unfinished(work);
  });
  EXPECT_TRUE(WIFSIGNALED(status));
  EXPECT_TRUE(std::filesystem::exists(work));
}

TEST(UnfinishedPaths, a_staged_folder_goes_and_its_published_output_stays) {
  const TemporaryFolder folder;
  const Path done = folder.path() / "done";
  const int status = ended_by_an_interruption([&] {
    Result<StagedFolder> first = StagedFolder::create(done, "", false);
    (void)first->publish().ok();
    static Result<StagedFolder> second = StagedFolder::create(folder.path() / "never", "", false);
    (void)write_file(second->staging() / "part", "x").ok();
  });
  EXPECT_TRUE(WIFSIGNALED(status));
  std::vector<Path> left;
  for (const auto& entry : std::filesystem::directory_iterator(folder.path())) left.push_back(entry.path());
  EXPECT_EQ(left, std::vector<Path>{done});
}

}  // namespace
}  // namespace fiducial
