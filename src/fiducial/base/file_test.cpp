#include "fiducial/base/file.h"

#include <algorithm>
#include <iterator>
#include <string>
#include <unistd.h>
#include <vector>

#include <gtest/gtest.h>

#include "fiducial/base/byte_stream.h"
#include "fiducial/base/number_text.h"
#include "fiducial/base/output_lock.h"
#include "fiducial/base/temporary_folder.h"

namespace fiducial {
namespace {

std::vector<std::string> names_in(const Path& folder) {
  std::vector<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(folder))
    names.push_back(entry.path().filename());
  std::sort(names.begin(), names.end());
  return names;
}

using Names = std::vector<std::string>;

TEST(WriteFile, leaves_the_text_and_nothing_else) {
  const TemporaryFolder folder;
  ASSERT_TRUE(write_file(folder / "a.txt", std::string_view("hello")).ok());
  EXPECT_EQ(read_text_file(folder / "a.txt").value(), "hello");
  EXPECT_EQ(names_in(folder.path()), Names{"a.txt"});
}

TEST(WriteFile, replaces_a_file_whole) {
  const TemporaryFolder folder;
  ASSERT_TRUE(write_file(folder / "a.txt", std::string_view("a longer text")).ok());
  ASSERT_TRUE(write_file(folder / "a.txt", std::string_view("new")).ok());
  EXPECT_EQ(read_text_file(folder / "a.txt").value(), "new");
}

TEST(WriteFile, keeps_the_old_content_for_a_reader_that_has_it_open) {
  const TemporaryFolder folder;
  ASSERT_TRUE(write_file(folder / "a.txt", std::string_view("old")).ok());
  const std::unique_ptr<FileStream> open = FileStream::open(folder / "a.txt").value();
  ASSERT_TRUE(write_file(folder / "a.txt", std::string_view("new")).ok());
  Bytes seen(3);
  ASSERT_EQ(open->read(seen).value(), 3U);
  EXPECT_EQ(as_text(seen), "old");
}

TEST(WriteFile, names_the_target_when_its_folder_is_missing) {
  const TemporaryFolder folder;
  const Path target = folder / "missing/a.txt";
  const Outcome outcome = write_file(target, std::string_view("x"));
  ASSERT_FALSE(outcome.ok());
  EXPECT_EQ(outcome.error().text(), target.string() + ": cannot create: No such file or directory");
}

TEST(WriteFile, leaves_nothing_behind_when_it_cannot_publish) {
  const TemporaryFolder folder;
  std::filesystem::create_directory(folder / "taken");
  ASSERT_FALSE(write_file(folder / "taken", std::string_view("x")).ok());
  EXPECT_EQ(names_in(folder.path()), Names{"taken"});
}

TEST(WriteFile, passes_by_links_that_lie_where_it_stages) {
  const TemporaryFolder folder;
  ASSERT_TRUE(write_file(folder / "precious", std::string_view("safe")).ok());
  const std::string next = partial_path(folder / "a.txt").string();
  const auto number = *parse_integer(next.substr(next.rfind('.') + 1));
  for (int i = 1; i <= 3; ++i) {
    const std::string planted = next.substr(0, next.rfind('.') + 1) + decimal(number + i);
    std::filesystem::create_symlink(folder / "precious", planted);
  }
  ASSERT_TRUE(write_file(folder / "a.txt", std::string_view("mine")).ok());
  EXPECT_EQ(read_text_file(folder / "precious").value(), "safe");
  EXPECT_EQ(read_text_file(folder / "a.txt").value(), "mine");
  EXPECT_FALSE(std::filesystem::is_symlink(folder / "a.txt"));
}

TEST(ReadTextFile, refuses_more_bytes_than_allowed_and_says_both_numbers) {
  const TemporaryFolder folder;
  ASSERT_TRUE(write_file(folder / "a.txt", std::string_view("12345")).ok());
  EXPECT_EQ(read_text_file(folder / "a.txt", 5).value(), "12345");
  EXPECT_EQ(read_text_file(folder / "a.txt", 4).error().message(), "file has 5 bytes, at most 4 are read");
}

TEST(ReadTextFile, refuses_folders_and_missing_files) {
  const TemporaryFolder folder;
  EXPECT_EQ(read_text_file(folder.path()).error().message(), "not a regular file");
  EXPECT_EQ(read_text_file(folder / "none").error().message(), "cannot open: No such file or directory");
}

TEST(StagedFolder, appears_at_its_target_only_when_published) {
  const TemporaryFolder folder;
  StagedFolder staged = StagedFolder::create(folder / "out", "marker", false).value();
  ASSERT_TRUE(write_file(staged.staging() / "a", std::string_view("x")).ok());
  EXPECT_FALSE(std::filesystem::exists(folder / "out"));
  ASSERT_TRUE(staged.publish().ok());
  EXPECT_EQ(names_in(folder / "out"), Names{"a"});
  EXPECT_EQ(names_in(folder.path()), Names{"out"});
}

TEST(StagedFolder, is_removed_when_it_is_not_published) {
  const TemporaryFolder folder;
  {
    StagedFolder staged = StagedFolder::create(folder / "out", "marker", false).value();
    const StagedFolder moved = std::move(staged);
    ASSERT_TRUE(write_file(moved.staging() / "a", std::string_view("x")).ok());
  }
  EXPECT_TRUE(std::filesystem::is_empty(folder.path()));
}

TEST(StagedFolder, refuses_an_existing_target_without_overwrite) {
  const TemporaryFolder folder;
  std::filesystem::create_directory(folder / "out");
  ASSERT_TRUE(write_file(folder / "out/marker", std::string_view()).ok());
  const auto staged = StagedFolder::create(folder / "out", "marker", false);
  ASSERT_FALSE(staged.ok());
  EXPECT_EQ(staged.error().code(), ErrorCode::bad_usage);
  EXPECT_EQ(staged.error().message(), "output exists; --overwrite replaces it");
}

TEST(StagedFolder, promises_no_overwrite_of_what_is_no_earlier_output) {
  const TemporaryFolder folder;
  std::filesystem::create_directory(folder / "home");
  ASSERT_TRUE(write_file(folder / "home/thesis", std::string_view("x")).ok());
  EXPECT_EQ(StagedFolder::create(folder / "home", "marker", false).error().message(),
            "output exists and is no earlier one (no marker inside); name another place");
  EXPECT_EQ(StagedFolder::create(folder / "home", "", false).error().message(),
            "output exists; name another place");
}

TEST(StagedFolder, takes_an_empty_folder_without_overwrite_and_no_other) {
  const TemporaryFolder folder;
  std::filesystem::create_directory(folder / "out");
  StagedFolder staged = StagedFolder::create(folder / "out", "marker", false).value();
  ASSERT_TRUE(write_file(folder / "out/of_somebody", std::string_view("x")).ok());
  EXPECT_FALSE(staged.publish().ok());
  std::filesystem::remove(folder / "out/of_somebody");
  StagedFolder again = StagedFolder::create(folder / "out", "marker", false).value();
  ASSERT_TRUE(write_file(again.staging() / "marker", std::string_view()).ok());
  ASSERT_TRUE(again.publish().ok());
  EXPECT_EQ(names_in(folder / "out"), Names{"marker"});
}

TEST(StagedFolder, replaces_an_earlier_output_whole) {
  const TemporaryFolder folder;
  std::filesystem::create_directory(folder / "out");
  ASSERT_TRUE(write_file(folder / "out/marker", std::string_view()).ok());
  ASSERT_TRUE(write_file(folder / "out/stale", std::string_view()).ok());
  StagedFolder staged = StagedFolder::create(folder / "out", "marker", true).value();
  ASSERT_TRUE(write_file(staged.staging() / "marker", std::string_view()).ok());
  EXPECT_EQ(names_in(folder / "out"), (Names{"marker", "stale"}));
  ASSERT_TRUE(staged.publish().ok());
  EXPECT_EQ(names_in(folder / "out"), Names{"marker"});
  EXPECT_EQ(names_in(folder.path()), Names{"out"});
}

TEST(StagedFolder, replaces_an_empty_folder) {
  const TemporaryFolder folder;
  std::filesystem::create_directory(folder / "out");
  EXPECT_TRUE(StagedFolder::create(folder / "out", "marker", true).value().publish().ok());
}

TEST(StagedFolder, never_replaces_a_folder_or_a_file_that_is_no_earlier_output) {
  const TemporaryFolder folder;
  std::filesystem::create_directory(folder / "home");
  ASSERT_TRUE(write_file(folder / "home/thesis", std::string_view("x")).ok());
  for (const char* target : {"home", "home/thesis"}) {
    const auto staged = StagedFolder::create(folder / target, "marker", true);
    ASSERT_FALSE(staged.ok());
    EXPECT_EQ(staged.error().code(), ErrorCode::refused);
    EXPECT_EQ(staged.error().message(), "not an earlier output (no marker inside), so it is not replaced");
  }
  EXPECT_EQ(read_text_file(folder / "home/thesis").value(), "x");
}

TEST(StagedFolder, leaves_the_old_output_when_publishing_fails) {
  const TemporaryFolder folder;
  std::filesystem::create_directory(folder / "out");
  ASSERT_TRUE(write_file(folder / "out/marker", std::string_view("old")).ok());
  StagedFolder staged = StagedFolder::create(folder / "out", "marker", true).value();
  std::filesystem::remove_all(staged.staging());
  ASSERT_FALSE(staged.publish().ok());
  EXPECT_EQ(read_text_file(folder / "out/marker").value(), "old");
  EXPECT_EQ(names_in(folder.path()), Names{"out"});
}

TEST(StagedFolder, does_not_replace_what_appeared_meanwhile) {
  const TemporaryFolder folder;
  StagedFolder first = StagedFolder::create(folder / "out", "marker", false).value();
  StagedFolder second = StagedFolder::create(folder / "out", "marker", false).value();
  ASSERT_TRUE(write_file(first.staging() / "first", std::string_view()).ok());
  ASSERT_TRUE(write_file(second.staging() / "second", std::string_view()).ok());
  ASSERT_TRUE(first.publish().ok());
  const Outcome outcome = second.publish();
  ASSERT_FALSE(outcome.ok());
  EXPECT_EQ(outcome.error().code(), ErrorCode::bad_usage);
  EXPECT_EQ(names_in(folder / "out"), Names{"first"});
}

TEST(StagedFolder, gives_an_earlier_output_its_name_back_when_a_kill_left_none) {
  const TemporaryFolder folder;
  // No process has this number.
  std::filesystem::create_directory(folder / ".out.partial-999999999.0");
  std::filesystem::create_directory(folder / ".out.partial-999999999.0.replaced");
  ASSERT_TRUE(write_file(folder / ".out.partial-999999999.0.replaced/marker", std::string_view("old")).ok());
  EXPECT_FALSE(StagedFolder::create(folder / "out", "marker", false).ok());
  EXPECT_EQ(read_text_file(folder / "out/marker").value(), "old");
  std::filesystem::create_directory(folder / ".out.partial-999999999.1.replaced");
  EXPECT_TRUE(StagedFolder::create(folder / "out", "marker", true).ok());
  EXPECT_EQ(names_in(folder.path()), Names{"out"});
}

TEST(StagedFolder, replaces_the_folder_behind_a_link_and_keeps_the_link) {
  const TemporaryFolder folder;
  std::filesystem::create_directories(folder / "disk/real");
  std::filesystem::create_symlink("disk/real", folder / "link");
  StagedFolder staged = StagedFolder::create(folder / "link", "marker", true).value();
  ASSERT_TRUE(write_file(staged.staging() / "marker", std::string_view()).ok());
  ASSERT_TRUE(staged.publish().ok());
  EXPECT_TRUE(std::filesystem::is_symlink(folder / "link"));
  EXPECT_EQ(names_in(folder / "disk/real"), Names{"marker"});
  EXPECT_EQ(names_in(folder.path()), (Names{"disk", "link"}));
}

TEST(OutputLock, is_held_by_one_at_a_time_and_leaves_nothing) {
  const TemporaryFolder folder;
  {
    OutputLock lock = OutputLock::take(folder / "new/out").value();
    const Result<OutputLock> second = OutputLock::take(folder / "new/out/");
    ASSERT_FALSE(second.ok());
    EXPECT_EQ(second.error().code(), ErrorCode::refused);
    EXPECT_EQ(second.error().message(), "another run is writing this output");
    EXPECT_TRUE(OutputLock::take(folder / "new/other").ok());
    lock.release();
    EXPECT_TRUE(OutputLock::take(folder / "new/out").ok());
  }
  EXPECT_TRUE(std::filesystem::is_empty(folder.path()));
}

TEST(StagedFolder, takes_a_target_with_a_final_slash) {
  const TemporaryFolder folder;
  StagedFolder staged = StagedFolder::create(folder / "out/", "marker", false).value();
  ASSERT_TRUE(staged.publish().ok());
  EXPECT_EQ(names_in(folder.path()), Names{"out"});
}

TEST(StagedFolder, names_the_target_when_it_cannot_be_created) {
  const TemporaryFolder folder;
  ASSERT_TRUE(write_file(folder / "file", std::string_view()).ok());
  const auto staged = StagedFolder::create(folder / "file/out", "marker", false);
  ASSERT_FALSE(staged.ok());
  EXPECT_EQ(staged.error().place().path, (folder / "file/out").string());
}

}  // namespace
}  // namespace fiducial
