#include "fiducial/base/open_file.h"

#include <cerrno>
#include <sys/stat.h>

#include <gtest/gtest.h>

#include "fiducial/base/system_error.h"
#include "fiducial/base/temporary_folder.h"

namespace fiducial {
namespace {

std::string content_of(const Path& path) { return read_text_file(path).value(); }

TEST(SystemError, is_io_for_what_the_machine_lacks_or_forbids) {
  for (const int number : {ENOSPC, EDQUOT, EFBIG, EACCES, EPERM, EROFS, EIO, EMFILE, ENFILE, ENOMEM}) {
    EXPECT_EQ(system_error("write", number).code(), ErrorCode::io) << number;
  }
}

TEST(SystemError, is_invalid_data_for_a_path_that_leads_nowhere_or_to_another_kind) {
  for (const int number : {ENOENT, ENOTDIR, EISDIR, EEXIST, ENOTEMPTY, ELOOP, ENAMETOOLONG}) {
    EXPECT_EQ(system_error("open", number).code(), ErrorCode::invalid_data) << number;
  }
}

TEST(SystemError, reads_as_what_could_not_be_done_and_why) {
  EXPECT_EQ(system_error("write", ENOSPC, "a/b.json").text(),
            "a/b.json: cannot write: No space left on device");
  EXPECT_EQ(system_error("list the folder", std::make_error_code(std::errc::permission_denied)).text(),
            "cannot list the folder: Permission denied");
}

TEST(MakeFolders, makes_what_is_missing_and_refuses_a_file_in_the_way) {
  const TemporaryFolder folder;
  ASSERT_TRUE(make_folders(folder / "a/b").ok());
  EXPECT_TRUE(make_folders(folder / "a/b").ok());
  ASSERT_TRUE(write_file(folder / "file", std::string_view("x")).ok());
  EXPECT_EQ(make_folders(folder / "file/c").error().code(), ErrorCode::invalid_data);
}

TEST(OpenFile, reads_what_it_wrote_from_any_place) {
  const TemporaryFolder folder;
  OpenFile made = OpenFile::create(folder / "a").value();
  ASSERT_TRUE(made.write(as_bytes("0123456789")).ok());
  ASSERT_TRUE(made.flush().ok());
  ASSERT_TRUE(made.close().ok());
  const OpenFile file = OpenFile::open(folder / "a").value();
  EXPECT_EQ(file.size().value(), 10U);
  Bytes piece(4);
  EXPECT_EQ(file.read_at(3, piece).value(), 4U);
  EXPECT_EQ(as_text(piece), "3456");
  EXPECT_EQ(file.read_at(8, piece).value(), 2U);
  EXPECT_EQ(file.read_at(20, piece).value(), 0U);
  EXPECT_EQ(file.read(piece).value(), 4U);
  EXPECT_EQ(as_text(piece), "0123");
}

TEST(OpenFile, keeps_the_first_bytes_of_a_file_it_extends) {
  const TemporaryFolder folder;
  ASSERT_TRUE(write_file(folder / "a", std::string_view("keep me, drop me")).ok());
  const OpenFile file = OpenFile::extend(folder / "a", 7).value();
  ASSERT_TRUE(file.write(as_bytes(" and more")).ok());
  EXPECT_EQ(content_of(folder / "a"), "keep me and more");
}

TEST(OpenFile, does_not_write_through_a_link_unless_asked_to) {
  const TemporaryFolder folder;
  ASSERT_TRUE(write_file(folder / "target", std::string_view("safe")).ok());
  std::filesystem::create_symlink(folder / "target", folder / "link");
  EXPECT_FALSE(OpenFile::create_new(folder / "link").ok());
  EXPECT_FALSE(OpenFile::create_new(folder / "target").ok());
  EXPECT_FALSE(OpenFile::extend(folder / "link", 0).ok());
  EXPECT_EQ(content_of(folder / "target"), "safe");
}

TEST(OpenFile, refuses_a_named_pipe_at_once) {
  const TemporaryFolder folder;
  ASSERT_EQ(::mkfifo((folder / "pipe").c_str(), 0600), 0);
  EXPECT_EQ(OpenFile::open(folder / "pipe").error().text(), "not a regular file");
}

TEST(OpenFile, says_that_a_device_is_full) {
  const OpenFile full = OpenFile::create("/dev/full").value();
  const Outcome outcome = full.write(as_bytes("x"));
  ASSERT_FALSE(outcome.ok());
  EXPECT_EQ(outcome.error().code(), ErrorCode::io);
  EXPECT_EQ(outcome.error().text(), "cannot write: No space left on device");
}

TEST(OpenFile, keeps_an_unnamed_file_for_reading_and_writing) {
  const OpenFile file = OpenFile::unnamed().value();
  ASSERT_TRUE(file.write(as_bytes("abc")).ok());
  Bytes back(3);
  EXPECT_EQ(file.read_at(0, back).value(), 3U);
  EXPECT_EQ(as_text(back), "abc");
}

TEST(OpenFile, says_what_failed_without_a_path) {
  EXPECT_EQ(OpenFile::open("no/such").error().text(), "cannot open: No such file or directory");
  Bytes piece(1);
  EXPECT_EQ(OpenFile(-1).read_at(0, piece).error().text(), "cannot read: Bad file descriptor");
}

}  // namespace
}  // namespace fiducial
