#include "fiducial/image/gzip_index.h"

#include <gtest/gtest.h>

#include "fiducial/base/inflate.h"
#include "fiducial/base/random.h"
#include "fiducial/image/gzip_index_format.h"

namespace fiducial {
namespace {

// Bytes that deflate in blocks of many kinds: noise, slopes and zeros.
Bytes varied_bytes(std::size_t size, std::uint64_t seed) {
  Random random(seed);
  Bytes out;
  out.reserve(size);
  while (out.size() < size) {
    const std::size_t length = std::min<std::size_t>(size - out.size(), random.below(40'000) + 1);
    const std::uint64_t kind = random.below(3);
    for (std::size_t i = 0; i < length; ++i)
      out.push_back(static_cast<std::byte>(kind == 0   ? random.below(256)
                                           : kind == 1 ? i / 7 + random.below(3)
                                                       : 0));
  }
  return out;
}

struct Indexed {
  Bytes gzip;
  Bytes index;
};

Result<std::shared_ptr<const IndexedGzip>> opened(const Indexed& file) {
  return IndexedGzip::open(std::make_shared<MemorySource>(file.gzip),
                           std::make_shared<MemorySource>(file.index));
}

Indexed indexed(Bytes gzip, std::uint64_t spacing = 100'000) {
  Bytes index = make_gzip_index(MemorySource(gzip), spacing).value();
  return {std::move(gzip), std::move(index)};
}

void expect_every_piece(const Indexed& file, const Bytes& plain, std::uint64_t seed) {
  const auto source = opened(file);
  ASSERT_TRUE(source.ok()) << source.error().text();
  ASSERT_EQ((*source)->size(), plain.size());
  Random random(seed);
  for (int i = 0; i < 60; ++i) {
    const std::uint64_t offset = random.below(plain.size() + 1);
    Bytes out(random.below(300'000));
    const Result<std::size_t> got = (*source)->read_at(offset, out);
    ASSERT_TRUE(got.ok()) << got.error().text();
    ASSERT_EQ(*got, std::min<std::size_t>(out.size(), plain.size() - offset));
    ASSERT_TRUE(std::equal(out.begin(), out.begin() + static_cast<std::ptrdiff_t>(*got),
                           plain.begin() + static_cast<std::ptrdiff_t>(offset)))
        << offset;
  }
}

TEST(GzipIndex, reads_the_same_bytes_anywhere) {
  for (const int level : {1, 6, 9}) {
    const Bytes plain = varied_bytes(3'000'000, static_cast<std::uint64_t>(level));
    const Indexed file = indexed(gzip_compressed(plain, level));
    EXPECT_GT(file.index.size(), 5 * gzidx::window_bytes) << "there are places to begin at";
    expect_every_piece(file, plain, 7);
  }
}

TEST(GzipIndex, crosses_members_and_the_zeros_behind_them) {
  Bytes plain;
  Bytes gzip;
  for (std::uint64_t seed = 0; seed < 6; ++seed) {
    const Bytes part = varied_bytes(seed == 3 ? 0 : 250'000, seed);
    const Bytes packed = gzip_compressed(part, 6);
    plain.insert(plain.end(), part.begin(), part.end());
    gzip.insert(gzip.end(), packed.begin(), packed.end());
    gzip.insert(gzip.end(), seed * 5, std::byte{0});
  }
  expect_every_piece(indexed(gzip), plain, 8);
}

TEST(GzipIndex, holds_an_empty_file) {
  const Indexed file = indexed(gzip_compressed({}, 6));
  EXPECT_EQ(opened(file).value()->size(), 0U);
}

TEST(GzipIndex, is_not_used_for_another_file) {
  const Bytes plain = varied_bytes(1'000'000, 1);
  Indexed file = indexed(gzip_compressed(plain, 6));
  const Bytes index = file.index;
  file.gzip.push_back(std::byte{0});
  EXPECT_NE(opened(file).error().text().find("was made of a file of"), std::string::npos);
  file.gzip.pop_back();
  file.gzip.back() ^= std::byte{1};
  EXPECT_EQ(opened(file).error().code(), ErrorCode::integrity);
  EXPECT_NE(opened(file).error().text().find("another end"), std::string::npos);
}

TEST(GzipIndex, notices_a_change_where_it_is_read) {
  const Bytes plain = varied_bytes(1'000'000, 2);
  const Indexed whole = indexed(gzip_compressed(plain, 6));
  for (std::size_t at = 1000; at + 1000 < whole.gzip.size(); at += whole.gzip.size() / 17) {
    Indexed file = whole;
    file.gzip[at] ^= std::byte{0x20};
    const auto source = opened(file);
    ASSERT_TRUE(source.ok());
    Bytes out(plain.size());
    const Result<std::size_t> got = (*source)->read_at(0, out);
    EXPECT_TRUE(!got.ok() || out == plain) << at;
  }
}

TEST(GzipIndex, gives_no_wrong_byte_whichever_of_its_own_changes) {
  const Bytes plain = varied_bytes(400'000, 3);
  const Indexed whole = indexed(gzip_compressed(plain, 6));
  for (std::size_t at = 0; at < whole.index.size(); at += at < 300 ? 1 : 977) {
    Indexed file = whole;
    file.index[at] ^= std::byte{0x04};
    const auto source = opened(file);
    if (!source.ok()) continue;
    Bytes out(plain.size());
    const Result<std::size_t> got = (*source)->read_at(0, out);
    EXPECT_TRUE(!got.ok() || (*got == plain.size() && out == plain)) << at;
  }
  for (std::size_t size = 0; size < whole.index.size(); size += 501) {
    Indexed file = whole;
    file.index.resize(size);
    EXPECT_FALSE(opened(file).ok()) << size;
  }
}

TEST(GzipIndex, is_not_made_of_what_is_broken) {
  const Bytes gzip = gzip_compressed(varied_bytes(300'000, 4), 6);
  const Bytes cut(gzip.begin(), gzip.end() - 100);
  EXPECT_NE(make_gzip_index(MemorySource(cut)).error().text().find("in the middle"), std::string::npos);
  Bytes wrong = gzip;
  wrong[wrong.size() - 6] ^= std::byte{1};
  EXPECT_FALSE(make_gzip_index(MemorySource(wrong)).ok());
  EXPECT_FALSE(make_gzip_index(MemorySource(as_bytes("no gzip data at all"))).ok());
}

}  // namespace
}  // namespace fiducial
