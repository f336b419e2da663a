#include <functional>
#include <memory>
#include <string>

#include <gtest/gtest.h>

#include "fiducial/archive/zip_directory.h"
#include "fiducial/archive/zip_format.h"
#include "fiducial/archive/zip_reader.h"
#include "fiducial/archive/zip_writer.h"
#include "fiducial/base/byte_stream.h"

namespace fiducial {
namespace {

using zip::CentralLayout;
using zip::EndLayout;
using zip::LocalLayout;

struct File {
  std::string name;
  std::string content;
  ZipMethod method = ZipMethod::stored;
};

Bytes packed(const std::vector<File>& files, ZipWriterOptions options = {}) {
  MemorySink sink;
  ZipWriter writer(sink, options);
  for (const File& file : files) EXPECT_TRUE(writer.add(file.name, as_bytes(file.content), file.method).ok());
  EXPECT_TRUE(writer.finish().ok());
  return sink.bytes();
}

// "a.nii" with three stored bytes. Its records begin at these bytes.
constexpr std::size_t data_at = LocalLayout::size + 5;
constexpr std::size_t central_at = data_at + 3;
constexpr std::size_t end_at = central_at + CentralLayout::size + 5;

Bytes one_file() { return packed({{"a.nii", "abc"}}); }

template <typename Field>
Bytes patched(Bytes bytes, std::size_t offset, Field value) {
  store(std::span(bytes), offset, value);
  return bytes;
}

// The same five letters in the local header and the central directory.
Bytes renamed(std::string_view name) {
  Bytes bytes = one_file();
  std::copy_n(as_bytes(name).begin(), 5, bytes.begin() + LocalLayout::size);
  std::copy_n(as_bytes(name).begin(), 5, bytes.begin() + central_at + CentralLayout::size);
  return bytes;
}

Result<ZipReader> opened(const Bytes& bytes) {
  return ZipReader::open(std::make_shared<MemorySource>(bytes), "x.zip");
}

std::string refusal(const Bytes& bytes) {
  const Result<ZipReader> reader = opened(bytes);
  return reader.ok() ? "opened" : reader.error().text();
}

std::string reading_failure(const Bytes& bytes) {
  const Result<ZipReader> reader = opened(bytes);
  if (!reader.ok()) return "not opened: " + reader.error().text();
  const Result<std::unique_ptr<ByteStream>> stream = reader->open_entry(0);
  Bytes out(1000);
  const Result<std::size_t> got = stream.value()->read(out);
  return got.ok() ? "read" : got.error().text();
}

void expect_in(std::string_view part, const std::string& text) {
  EXPECT_NE(text.find(part), std::string::npos) << text;
}

TEST(HostileZip, starts_from_an_archive_that_opens) { EXPECT_EQ(refusal(one_file()), "opened"); }

TEST(HostileZip, is_refused_when_no_end_record_reaches_the_end) {
  Bytes longer = one_file();
  longer.push_back(std::byte{0});
  expect_in("x.zip, byte 112: not a zip archive", refusal(longer));
  expect_in("x.zip, byte 0: not a zip archive", refusal({}));
  expect_in("not a zip archive", refusal(Bytes(100)));
}

TEST(HostileZip, is_refused_at_every_length_but_its_own) {
  const Bytes bytes = packed({{"a.nii", "abc"}, {"b", std::string(100, 'x'), ZipMethod::deflated}});
  for (std::size_t length = 0; length < bytes.size(); ++length) {
    EXPECT_FALSE(opened(Bytes(bytes.begin(), bytes.begin() + static_cast<std::ptrdiff_t>(length))).ok())
        << length;
  }
}

TEST(HostileZip, is_refused_when_two_end_records_fit) {
  Bytes bytes = patched(one_file(), end_at + EndLayout::comment_length, std::uint16_t{EndLayout::size});
  const Bytes second(bytes.begin() + end_at, bytes.end());
  bytes.insert(bytes.end(), second.begin(), second.end());
  expect_in("a second end record also reaches the end",
            refusal(patched(bytes, end_at + EndLayout::size + EndLayout::comment_length, std::uint16_t{0})));
}

TEST(HostileZip, is_refused_when_bytes_stand_before_the_directory_that_the_end_record_does_not_know) {
  Bytes bytes = one_file();
  bytes.insert(bytes.begin(), 7, std::byte{'#'});
  expect_in("central directory of 51 bytes at byte 38 does not end where its end record begins, at byte 96",
            refusal(bytes));
}

TEST(HostileZip, is_refused_when_split_over_disks) {
  expect_in("several disks", refusal(patched(one_file(), end_at + EndLayout::disk, std::uint16_t{1})));
  expect_in("lies on disk 2",
            refusal(patched(one_file(), central_at + CentralLayout::disk, std::uint16_t{2})));
}

TEST(HostileZip, is_refused_when_entry_counts_lie) {
  const Bytes two = patched(patched(one_file(), end_at + EndLayout::entries, std::uint16_t{2}),
                            end_at + EndLayout::disk_entries, std::uint16_t{2});
  expect_in("end record counts 2 entries; a central directory of 51 bytes has at most 1", refusal(two));
  const Bytes none = patched(patched(one_file(), end_at + EndLayout::entries, std::uint16_t{0}),
                             end_at + EndLayout::disk_entries, std::uint16_t{0});
  expect_in("byte 38: central directory goes on after the 0 entries", refusal(none));
  expect_in("counts 1 entries on this disk and 9 in all",
            refusal(patched(one_file(), end_at + EndLayout::entries, std::uint16_t{9})));
}

TEST(HostileZip, is_refused_when_zip64_and_plain_end_records_differ) {
  const Bytes wide = packed({{"a.nii", "abc"}}, {.zip64_from = 0});
  ASSERT_EQ(refusal(wide), "opened");
  const std::size_t end = wide.size() - EndLayout::size;
  expect_in("end record says 7 where the zip64 end record says 1",
            refusal(patched(wide, end + EndLayout::entries, std::uint16_t{7})));
  const std::size_t locator = end - zip::LocatorLayout::size;
  expect_in("does not fit before its locator",
            refusal(patched(wide, locator + zip::LocatorLayout::offset, ~std::uint64_t{0})));
  const std::size_t end64 = locator - zip::End64Layout::size;
  expect_in("zip64 end record says it has 45 bytes; 44 lie before its locator",
            refusal(patched(wide, end64 + zip::End64Layout::record_size, std::uint64_t{45})));
  expect_in("does not end where its end record begins",
            refusal(patched(wide, end64 + zip::End64Layout::directory_offset, ~std::uint64_t{0})));
}

TEST(HostileZip, is_refused_when_it_has_too_many_entries) {
  Bytes wide = packed({{"a.nii", "abc"}}, {.zip64_from = 0});
  const std::size_t end64 = wide.size() - EndLayout::size - zip::LocatorLayout::size - zip::End64Layout::size;
  wide = patched(wide, end64 + zip::End64Layout::entries, max_zip_entries + 1);
  expect_in("archive has 200001 entries",
            refusal(patched(wide, end64 + zip::End64Layout::disk_entries, max_zip_entries + 1)));
}

TEST(HostileZip, is_refused_for_names_that_leave_the_folder) {
  expect_in("x.zip, byte 84: entry \"../ab\" has a name that is refused: a part \"..\" leaves the folder",
            refusal(renamed("../ab")));
  expect_in("leaves the folder", refusal(renamed("a/../")));
  expect_in("absolute path", refusal(renamed("/etc/")));
  expect_in("drive letter", refusal(renamed("C:abc")));
  expect_in("backslash", refusal(renamed("..\\ab")));
  expect_in("entry \"ab\\x00cd\" has a name that is refused: it holds a NUL byte",
            refusal(renamed(std::string_view("ab\0cd", 5))));
  expect_in("entry \"\\xff\\xfeabc\" has a name that is refused: it is not valid UTF-8",
            refusal(renamed("\xff\xfe"
                            "abc")));
  expect_in("control character", refusal(renamed("a\x1b[2J")));
  expect_in("empty part", refusal(renamed("a//bc")));
}

TEST(HostileZip, is_refused_for_links_and_special_files) {
  const auto with_mode = [](std::uint32_t mode) {
    return patched(one_file(), central_at + CentralLayout::attributes, mode << 16U);
  };
  expect_in("entry \"a.nii\" is a symbolic link", refusal(with_mode(0120777)));
  expect_in("is not a regular file", refusal(with_mode(0010644)));  // named pipe
  expect_in("is not a regular file", refusal(with_mode(0020644)));  // device
  expect_in("is not a regular file", refusal(with_mode(0040755)));  // folder without '/'
  EXPECT_EQ(refusal(with_mode(0)), "opened");
}

TEST(HostileZip, is_refused_for_duplicate_names) {
  Bytes bytes = packed({{"a.nii", "abc"}, {"b.nii", "abc"}});
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    if (bytes[i] == std::byte{'b'} && bytes[i + 1] == std::byte{'.'}) bytes[i] = std::byte{'a'};
  }
  expect_in("entry \"a.nii\" appears twice: as entry 1 and as entry 2", refusal(bytes));
}

TEST(HostileZip, is_refused_for_encryption_and_other_methods) {
  expect_in("is encrypted",
            refusal(patched(one_file(), central_at + CentralLayout::flags, std::uint16_t{1})));
  expect_in("is encrypted",
            refusal(patched(one_file(), central_at + CentralLayout::flags, std::uint16_t{1U << 13U})));
  expect_in("is compressed by method 12; expected 0 (stored) or 8 (deflate)",
            refusal(patched(one_file(), central_at + CentralLayout::method, std::uint16_t{12})));
}

TEST(HostileZip, is_refused_when_sizes_cannot_be) {
  expect_in("is stored, but its sizes are 3 and 4 bytes",
            refusal(patched(one_file(), central_at + CentralLayout::uncompressed, std::uint32_t{4})));
  const Bytes deflated = patched(one_file(), central_at + CentralLayout::method, zip::deflated);
  expect_in(
      "promises 3097 bytes from 3; deflate expands at most 1032 times",
      refusal(patched(deflated, central_at + CentralLayout::uncompressed, std::uint32_t{3 * 1032 + 1})));
  expect_in("lacks a zip64 value",
            refusal(patched(one_file(), central_at + CentralLayout::uncompressed, zip::full32)));
}

TEST(HostileZip, is_refused_when_an_offset_points_nowhere) {
  expect_in("a local header needs 30 bytes; the file has 0 left",
            refusal(patched(one_file(), central_at + CentralLayout::offset, std::uint32_t{0xFFFFFFFE})));
  expect_in("has no local header where the central directory points",
            refusal(patched(one_file(), central_at + CentralLayout::offset, std::uint32_t{1})));
}

TEST(HostileZip, is_refused_when_the_local_header_disagrees) {
  expect_in("is named \"b.nii\" in its local header", refusal(patched(one_file(), LocalLayout::size, 'b')));
  expect_in("has method 8 in its local header, 0 in the central directory",
            refusal(patched(one_file(), LocalLayout::method, std::uint16_t{8})));
  expect_in("has sizes 3 and 9 in its local header, 3 and 3 in the central directory",
            refusal(patched(one_file(), LocalLayout::uncompressed, std::uint32_t{9})));
  expect_in("has another CRC-32", refusal(patched(one_file(), LocalLayout::crc, std::uint32_t{9})));
  expect_in("has flags 1 in its local header",
            refusal(patched(one_file(), LocalLayout::flags, std::uint16_t{1})));
}

TEST(HostileZip, is_refused_when_entries_share_bytes) {
  // A whole archive stored inside the first entry, whose own entry the directory lists as well.
  const Bytes inner = one_file();
  Bytes bytes = packed({{"outer", std::string(as_text(inner))}, {"a.nii", "abc"}});
  const std::size_t second = LocalLayout::size + 5 + inner.size();
  const std::size_t central = second + central_at + CentralLayout::size + 5;
  expect_in("entry \"outer\" with 111 bytes of data overlaps entry \"a.nii\" at byte 35",
            refusal(patched(bytes, central + CentralLayout::offset, std::uint32_t{LocalLayout::size + 5})));
}

TEST(HostileZip, is_refused_when_data_reach_into_the_directory) {
  Bytes bytes = one_file();
  for (const std::size_t field :
       {LocalLayout::compressed, LocalLayout::uncompressed, central_at + CentralLayout::compressed,
        central_at + CentralLayout::uncompressed}) {
    bytes = patched(bytes, field, std::uint32_t{4});
  }
  expect_in("with 4 bytes of data overlaps the central directory at byte 38", refusal(bytes));
}

// An Info-ZIP Unicode path field in the central directory: version, checksum, name.
Bytes with_unicode_path(const std::string& name) {
  const std::string field = std::string("\x75\x70\x0a\0\x01\0\0\0\0", 9) + name;
  Bytes bytes = one_file();
  const ByteView raw = as_bytes(field);
  bytes.insert(bytes.begin() + end_at, raw.begin(), raw.end());
  bytes = patched(bytes, central_at + CentralLayout::extra_length, static_cast<std::uint16_t>(field.size()));
  return patched(bytes, end_at + field.size() + EndLayout::directory_size,
                 static_cast<std::uint32_t>(CentralLayout::size + 5 + field.size()));
}

TEST(HostileZip, is_refused_when_an_extra_field_gives_another_name) {
  EXPECT_EQ(refusal(with_unicode_path("a.nii")), "opened");
  expect_in("entry \"a.nii\" has a second, different name", refusal(with_unicode_path("../ni")));
}

TEST(HostileZip, is_refused_when_an_extra_field_is_cut_off) {
  expect_in("byte 89: entry \"a.nii\" has an extra field that is cut off",
            refusal(patched(with_unicode_path("a.nii"), end_at + 2, std::uint16_t{11})));
}

TEST(HostileZipEntry, fails_when_its_checksum_is_wrong) {
  expect_in("x.zip, byte 35: entry \"a.nii\" has CRC-32", reading_failure(patched(one_file(), data_at, 'X')));
}

// Changes both headers of a single deflated entry.
Bytes with_size(Bytes bytes, std::uint32_t size) {
  const std::size_t central = bytes.size() - EndLayout::size - CentralLayout::size - 5;
  bytes = patched(bytes, LocalLayout::uncompressed, size);
  return patched(bytes, central + CentralLayout::uncompressed, size);
}

TEST(HostileZipEntry, fails_when_data_end_early_or_late) {
  const Bytes bytes = packed({{"a.nii", std::string(500, 'x'), ZipMethod::deflated}});
  ASSERT_EQ(reading_failure(bytes), "read");
  expect_in("entry \"a.nii\" ends after 500 of 501 bytes", reading_failure(with_size(bytes, 501)));
  expect_in("entry \"a.nii\" goes on after the 499 bytes it promises",
            reading_failure(with_size(bytes, 499)));
}

TEST(HostileZipEntry, fails_when_compressed_bytes_are_left_over_or_missing) {
  Bytes bytes = packed({{"a.nii", std::string(500, 'x'), ZipMethod::deflated}});
  const std::size_t size = load<std::uint32_t>(bytes, LocalLayout::compressed);
  const auto resized = [&](int by) {
    Bytes out = bytes;
    const auto end_of_data = out.begin() + static_cast<std::ptrdiff_t>(data_at + size);
    by > 0 ? out.insert(end_of_data, std::byte{0}) : out.erase(end_of_data - 1);
    const auto stored = static_cast<std::uint32_t>(static_cast<int>(size) + by);
    const std::size_t central = data_at + stored;
    out = patched(out, LocalLayout::compressed, stored);
    out = patched(out, central + CentralLayout::compressed, stored);
    return patched(out, out.size() - EndLayout::size + EndLayout::directory_offset,
                   static_cast<std::uint32_t>(central));
  };
  expect_in("has deflate data that end after", reading_failure(resized(1)));
  expect_in("entry \"a.nii\": compressed data end in the middle of a stream", reading_failure(resized(-1)));
}

}  // namespace
}  // namespace fiducial
