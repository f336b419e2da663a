#include "fiducial/archive/zip_writer.h"

#include <memory>
#include <string>
#include <thread>

#include <gtest/gtest.h>

#include "fiducial/archive/zip_reader.h"
#include "fiducial/base/number_text.h"
#include "fiducial/base/random.h"
#include "fiducial/base/sha256.h"

namespace fiducial {
namespace {

std::string content(const ZipReader& reader, std::size_t index, std::size_t piece) {
  const Result<std::unique_ptr<ByteStream>> stream = reader.open_entry(index);
  std::string out;
  Bytes buffer(piece);
  for (;;) {
    const Result<std::size_t> got = stream.value()->read(buffer);
    if (!got.ok()) return "failed: " + got.error().text();
    out += as_text(ByteView(buffer).first(*got));
    if (*got < piece) return out;
  }
}

std::string random_text(std::size_t size, std::uint64_t seed, std::uint64_t letters) {
  Random random(seed);
  std::string out(size, '\0');
  for (char& c : out) c = static_cast<char>(random.below(letters));
  return out;
}

class ZipRoundTrip : public testing::TestWithParam<std::uint64_t> {};

TEST_P(ZipRoundTrip, gives_back_every_name_and_byte) {
  const std::vector<std::string> contents = {"", "x", random_text(70'000, 1, 256),
                                             random_text(900'000, 2, 3)};
  MemorySink sink;
  ZipWriter writer(sink, {.zip64_from = GetParam()});
  for (std::size_t i = 0; i < contents.size(); ++i) {
    const std::string name = "d/\xC3\xA9" + std::string(i + 1, 'n');
    ASSERT_TRUE(
        writer.add(name, as_bytes(contents[i]), i % 2 == 0 ? ZipMethod::stored : ZipMethod::deflated).ok());
  }
  ASSERT_TRUE(writer.finish().ok());
  const Result<ZipReader> reader = ZipReader::open(std::make_shared<MemorySource>(sink.bytes()));
  ASSERT_TRUE(reader.ok()) << reader.error().text();
  ASSERT_EQ(reader->entries().size(), contents.size());
  EXPECT_EQ(reader->find("d/\xC3\xA9nn"), 1U);
  EXPECT_EQ(reader->find("nowhere"), std::nullopt);
  EXPECT_LT(reader->entries()[3].compressed_size, contents[3].size() / 2);
  for (std::size_t i = 0; i < contents.size(); ++i) {
    EXPECT_EQ(reader->entries()[i].size, contents[i].size());
    for (const std::size_t piece : {1000U, 65'536U, 2'000'000U})
      EXPECT_EQ(content(*reader, i, piece), contents[i]);
  }
}

INSTANTIATE_TEST_SUITE_P(PlainAndZip64, ZipRoundTrip, testing::Values(0xFFFFFFFFU, 0U, 65'000U));

TEST(ZipReader, reads_entries_from_several_threads) {
  const std::string text = random_text(400'000, 3, 5);
  MemorySink sink;
  ZipWriter writer(sink);
  for (const char* name : {"a", "b", "c", "d"}) {
    ASSERT_TRUE(writer.add(name, as_bytes(text), ZipMethod::deflated).ok());
  }
  ASSERT_TRUE(writer.finish().ok());
  const Path path = Path(testing::TempDir()) / "fiducial_threads.zip";
  ASSERT_TRUE(write_file(path, sink.bytes()).ok());
  const Result<ZipReader> reader = ZipReader::open(path);
  ASSERT_TRUE(reader.ok());
  std::vector<std::string> read(4);
  {
    std::vector<std::jthread> threads;
    for (std::size_t i = 0; i < 4; ++i) threads.emplace_back([&, i] { read[i] = content(*reader, i, 4096); });
  }
  for (const std::string& one : read) EXPECT_EQ(one, text);
  std::filesystem::remove(path);
}

// Written by Python's zipfile to a sink that cannot seek, so sizes follow the data.
TEST(ZipReader, reads_data_descriptors) {
  const std::string hex =
      "504b0304140008000800000021000000000000000000000000000100000061cb4d2cce56c8a52d0100504b07086619c7"
      "850a00000064000000504b0304140008000000000021000000000000000000000000000100000062616263504b0708c2"
      "4124350300000003000000504b01021403140008000800000021006619c7850a00000064000000010000000000000000"
      "000000a4810000000061504b0102140314000800000000002100c2412435030000000300000001000000000000000000"
      "0000a4813900000062504b050600000000020002005e0000006b0000000000";
  Bytes bytes;
  for (std::size_t i = 0; i < hex.size(); i += 2) {
    const auto digit = [](char c) { return c <= '9' ? c - '0' : c - 'a' + 10; };
    bytes.push_back(static_cast<std::byte>(digit(hex[i]) * 16 + digit(hex[i + 1])));
  }
  const Result<ZipReader> reader = ZipReader::open(std::make_shared<MemorySource>(bytes));
  ASSERT_TRUE(reader.ok()) << reader.error().text();
  ASSERT_EQ(reader->entries().size(), 2U);
  EXPECT_EQ(content(*reader, 0, 7).substr(0, 10), "mask mask ");
  EXPECT_EQ(content(*reader, 1, 7), "abc");
}

TEST(ZipWriter, writes_the_same_bytes_every_time) {
  const auto once = [] {
    MemorySink sink;
    ZipWriter writer(sink);
    EXPECT_TRUE(writer.add("a.nii", as_bytes("abc"), ZipMethod::stored).ok());
    EXPECT_TRUE(writer.finish().ok());
    return sink.bytes();
  };
  EXPECT_EQ(once(), once());
  EXPECT_EQ(sha256(once()).hex(), "0a158f2d2f961a3a1ddf2d0730230eb3a6fb70f36d0a1c094afa91aeb7bea654");
}

TEST(ZipWriter, packs_files_and_publishes_them_at_once) {
  const Path folder = Path(testing::TempDir()) / "fiducial_zip_writer";
  std::filesystem::create_directories(folder);
  const std::string text = random_text(600'000, 4, 256);
  ASSERT_TRUE(write_file(folder / "in.bin", text).ok());
  {
    Result<std::unique_ptr<FileSink>> sink = FileSink::create(folder / "out.zip");
    ASSERT_TRUE(sink.ok());
    ZipWriter writer(*sink.value());
    ASSERT_TRUE(writer.add_file("in.bin", folder / "in.bin").ok());
    ASSERT_TRUE(writer.finish().ok());
    EXPECT_FALSE(std::filesystem::exists(folder / "out.zip"));
    ASSERT_TRUE(sink.value()->publish().ok());
  }
  const Result<ZipReader> reader = ZipReader::open(folder / "out.zip");
  ASSERT_TRUE(reader.ok());
  EXPECT_EQ(content(*reader, 0, 10'000), text);
  { ASSERT_TRUE(FileSink::create(folder / "never.zip").ok()); }
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(folder), {}), 2);
  std::filesystem::remove_all(folder);
}

TEST(ZipWriter, refuses_names_that_cannot_be_read_back) {
  MemorySink sink;
  ZipWriter writer(sink);
  EXPECT_TRUE(writer.add("a", {}, ZipMethod::stored).ok());
  for (const char* name : {"", "a", "../a", "/a", "a\\b", "folder/", "\xff"}) {
    EXPECT_FALSE(writer.add(name, {}, ZipMethod::stored).ok()) << name;
  }
}

TEST(ZipWriter, takes_the_zip64_form_for_more_than_65534_entries) {
  MemorySink sink;
  ZipWriter writer(sink);
  for (int i = 0; i < 65'536; ++i) {
    ASSERT_TRUE(writer.add(decimal(i), {}, ZipMethod::stored).ok());
  }
  ASSERT_TRUE(writer.finish().ok());
  const Result<ZipReader> reader = ZipReader::open(std::make_shared<MemorySource>(sink.bytes()));
  ASSERT_TRUE(reader.ok()) << reader.error().text();
  EXPECT_EQ(reader->entries().size(), 65'536U);
}

TEST(ZipReader, names_a_file_that_is_missing_or_no_file) {
  EXPECT_NE(ZipReader::open("no/such.zip").error().text().find("no/such.zip: cannot open"),
            std::string::npos);
  EXPECT_NE(ZipReader::open("/").error().text().find("not a regular file"), std::string::npos);
}

}  // namespace
}  // namespace fiducial
