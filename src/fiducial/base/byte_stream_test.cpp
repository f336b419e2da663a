#include "fiducial/base/byte_stream.h"

#include <sys/stat.h>

#include <gtest/gtest.h>

#include "fiducial/base/temporary_folder.h"

namespace fiducial {
namespace {

TEST(MemoryStream, gives_its_bytes_in_order_and_then_none) {
  MemoryStream stream(as_bytes("abcde"));
  Bytes out(3);
  EXPECT_EQ(stream.read(out).value(), 3U);
  EXPECT_EQ(as_text(out), "abc");
  EXPECT_EQ(stream.read(out).value(), 2U);
  EXPECT_EQ(as_text(out).substr(0, 2), "de");
  EXPECT_EQ(stream.read(out).value(), 0U);
}

TEST(FileStream, knows_its_size_and_reads_to_the_end) {
  const TemporaryFolder folder;
  ASSERT_TRUE(write_file(folder / "a", std::string_view("abcde")).ok());
  const std::unique_ptr<FileStream> stream = FileStream::open(folder / "a").value();
  EXPECT_EQ(stream->size(), 5U);
  Bytes out(9);
  EXPECT_EQ(stream->read(out).value(), 5U);
  EXPECT_EQ(as_text(out).substr(0, 5), "abcde");
}

TEST(FileStream, ends_early_when_the_file_shrinks) {
  const TemporaryFolder folder;
  ASSERT_TRUE(write_file(folder / "a", std::string_view("abcde")).ok());
  const std::unique_ptr<FileStream> stream = FileStream::open(folder / "a").value();
  std::filesystem::resize_file(folder / "a", 2);
  Bytes out(5);
  EXPECT_EQ(stream->read(out).value(), 2U);
}

TEST(FileStream, refuses_what_is_no_regular_file) {
  const TemporaryFolder folder;
  EXPECT_EQ(FileStream::open(folder / "none").error().text(),
            (folder / "none").string() + ": cannot open: No such file or directory");
  EXPECT_EQ(FileStream::open(folder.path()).error().message(), "not a regular file");
}

TEST(HashingStream, hashes_the_whole_stream_even_when_only_a_part_was_read) {
  HashingStream stream(std::make_unique<MemoryStream>(as_bytes("abcde")));
  Bytes out(2);
  EXPECT_EQ(stream.read(out).value(), 2U);
  EXPECT_EQ(as_text(out), "ab");
  EXPECT_EQ(stream.finish().value(), sha256(as_bytes("abcde")));
}

}  // namespace
}  // namespace fiducial
