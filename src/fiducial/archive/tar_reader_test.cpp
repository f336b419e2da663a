#include "fiducial/archive/tar_reader.h"

#include <gtest/gtest.h>

#include "fiducial/archive/tar_example.h"
#include "fiducial/base/inflate.h"
#include "fiducial/base/temporary_folder.h"

namespace fiducial {
namespace {

// Every member as "name=content;", then "end" or the error.
std::string read_all(Result<TarReader> reader) {
  if (!reader.ok()) return reader.error().text();
  std::string out;
  for (;;) {
    Result<std::optional<TarMember>> member = reader->next();
    if (!member.ok()) return out + member.error().text();
    if (!*member) return out + "end";
    std::string content((*member)->size, '\0');
    const Result<std::size_t> got = reader->content().read(std::as_writable_bytes(std::span(content)));
    if (!got.ok()) return out + got.error().text();
    out += (*member)->name + "=" + content + ";";
  }
}

std::string read_archive(const std::string& bytes) {
  return read_all(TarReader::open(std::make_unique<MemoryStream>(as_bytes(bytes))));
}

TEST(TarReader, gives_names_and_contents_in_order) {
  EXPECT_EQ(
      read_archive(tar_member("a.txt", "one") + tar_member("d/b.txt", std::string(600, 'x')) + tar_end()),
      "a.txt=one;d/b.txt=" + std::string(600, 'x') + ";end");
}

TEST(TarReader, reads_gzip_without_being_told) {
  const std::string plain = tar_member("a.txt", "one") + tar_end();
  const Bytes packed = gzip_compressed(as_bytes(plain), 6);
  EXPECT_EQ(read_archive(std::string(as_text(packed))), "a.txt=one;end");
}

TEST(TarReader, passes_over_what_was_not_read) {
  const std::string bytes = tar_member("a", std::string(2000, 'a')) + tar_member("b", "two") + tar_end();
  Result<TarReader> reader = TarReader::open(std::make_unique<MemoryStream>(as_bytes(bytes)));
  ASSERT_TRUE(reader->next().ok());
  std::byte one{};
  ASSERT_TRUE(reader->content().read({&one, 1}).ok());
  const auto second = reader->next();
  ASSERT_TRUE(second.ok() && second->has_value());
  EXPECT_EQ((*second)->name, "b");
  EXPECT_EQ((*second)->offset, 512 + 2048 + 512U);
}

TEST(TarReader, reads_long_names_of_gnu_and_pax) {
  const std::string name = std::string(150, 'n') + ".nii.gz";
  EXPECT_EQ(read_archive(tar_member("././@LongLink", name + std::string(1, '\0'), 'L') +
                         tar_member("n", "1") + tar_end()),
            name + "=1;end");
  EXPECT_EQ(
      read_archive(tar_member("PaxHeaders/x", pax_record("mtime", "1.5") + pax_record("path", name), 'x') +
                   tar_member("n", "1") + tar_member("m", "2") + tar_end()),
      name + "=1;m=2;end");
}

TEST(TarReader, lists_files_only) {
  EXPECT_EQ(read_archive(tar_member("./d/", "", '5') + tar_member("./f", "1") + tar_end()), "f=1;end");
}

TEST(TarReader, refuses_links_sparse_files_and_names_that_come_twice) {
  for (const char type : {'1', '2', 'S'}) {
    EXPECT_NE(read_archive(tar_member("f", "1") + tar_member("g", "", type) + tar_end())
                  .find("member \"g\" is a link or a sparse file; only plain files are read"),
              std::string::npos);
  }
  EXPECT_NE(read_archive(tar_member("f", "1") + tar_member("./f", "2") + tar_end())
                .find("member \"f\" is there twice"),
            std::string::npos);
}

TEST(TarReader, refuses_names_that_leave_the_folder) {
  for (const char* name : {"../a", "/etc/passwd", "a/../../b"}) {
    EXPECT_NE(read_archive(tar_member(name, "1") + tar_end()).find("a member is called"), std::string::npos)
        << name;
  }
}

TEST(TarReader, names_the_place_of_a_damaged_header) {
  std::string bytes = tar_member("a", "1") + tar_member("b", "2") + tar_end();
  bytes[1024 + 3] = 'x';
  const std::string said = read_archive(bytes);
  EXPECT_NE(said.find("a=1;byte 1536"), std::string::npos) << said;
  EXPECT_NE(said.find("sum of a header is wrong"), std::string::npos) << said;
}

TEST(TarReader, refuses_an_archive_that_ends_early) {
  const std::string bytes = tar_member("a", std::string(700, 'a')) + tar_end();
  for (const std::size_t size :
       {std::size_t{0}, std::size_t{100}, std::size_t{512}, std::size_t{900}, std::size_t{1536}}) {
    const std::string said = read_archive(bytes.substr(0, size));
    EXPECT_EQ(said.find("end", said.size() - 3), std::string::npos) << size << ": " << said;
  }
}

TEST(TarReader, refuses_attributes_that_are_damaged_or_too_long) {
  for (const std::string& records : {std::string("99 path=x\n"), std::string("path"), std::string("7 path\n"),
                                     pax_record("size", "many"), std::string(70'000, 'x')}) {
    const std::string said = read_archive(tar_member("p", records, 'x') + tar_member("a", "1") + tar_end());
    EXPECT_NE(said.find("tar archive"), std::string::npos) << said;
  }
}

TEST(TarReader, reads_parts_as_one_archive_and_misses_none) {
  TemporaryFolder folder;
  const std::string bytes = tar_member("a", std::string(3000, 'a')) + tar_member("b", "2") + tar_end();
  const std::string names[] = {"mask_aa", "mask_ab", "mask_ac"};
  for (std::size_t i = 0; i < 3; ++i) {
    ASSERT_TRUE(
        write_file(folder / names[i], bytes.substr(i * 1000, i == 2 ? std::string::npos : 1000)).ok());
  }
  EXPECT_EQ(read_all(TarReader::open(folder / "mask_aa")), "a=" + std::string(3000, 'a') + ";b=2;end");
  std::filesystem::remove(folder / "mask_ab");
  EXPECT_NE(read_all(TarReader::open(folder / "mask_aa"))
                .find("mask_ab: this part of the split archive is missing"),
            std::string::npos);
}

TEST(TarReader, reads_more_parts_than_one_letter_counts) {
  TemporaryFolder folder;
  const std::string bytes = tar_member("a", std::string(3000, 'a')) + tar_member("b", "2") + tar_end();
  for (std::size_t i = 0; i * 100 < bytes.size(); ++i) {
    const std::string name =
        std::string("mask_") + static_cast<char>('a' + i / 26) + static_cast<char>('a' + i % 26);
    ASSERT_TRUE(write_file(folder / name, bytes.substr(i * 100, 100)).ok());
  }
  EXPECT_EQ(read_all(TarReader::open(folder / "mask_aa")), "a=" + std::string(3000, 'a') + ";b=2;end");
  std::filesystem::remove(folder / "mask_bc");
  EXPECT_NE(read_all(TarReader::open(folder / "mask_aa")).find("mask_bc: this part"), std::string::npos);
}

}  // namespace
}  // namespace fiducial
