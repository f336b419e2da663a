#include <memory>
#include <string>

#include <gtest/gtest.h>

#include "fiducial/base/inflate.h"
#include "fiducial/base/random.h"

namespace fiducial {
namespace {

Bytes random_bytes(std::size_t size, std::uint64_t seed) {
  Random random(seed);
  Bytes out(size);
  for (std::byte& value : out) value = static_cast<std::byte>(random.below(256));
  return out;
}

Bytes concatenated(const Bytes& a, ByteView b) {
  Bytes out = a;
  out.insert(out.end(), b.begin(), b.end());
  return out;
}

// A gzip file of exactly this size: random bytes do not get smaller, so the content is shortened to fit.
Bytes member_of_size(std::size_t size) {
  for (std::size_t content = size - 18;; --content) {
    Bytes member = gzip_compressed(random_bytes(content, 7), 1);
    if (member.size() <= size) return member;
  }
}

// The input is refilled every 256 KiB; ends and starts of members must survive any cut.
TEST(HostileInflate, reads_members_that_straddle_a_refill_of_the_input) {
  constexpr std::size_t refill = std::size_t{256} << 10;
  const Bytes content = random_bytes(1000, 9);
  const Bytes second = gzip_compressed(content, 6);
  const Bytes first = member_of_size(refill - 12);
  for (std::size_t padding = 0; padding <= 40; ++padding) {
    const Bytes padded = concatenated(first, Bytes(padding));
    const Bytes file = concatenated(concatenated(padded, second), second);
    InflateStream stream(std::make_unique<MemoryStream>(file), DeflateWrapper::gzip);
    Bytes out(2 * refill);
    const Result<std::size_t> got = stream.read(out);
    ASSERT_TRUE(got.ok()) << padding << ": " << got.error().text();
    EXPECT_TRUE(
        std::equal(content.begin(), content.end(), out.begin() + static_cast<std::ptrdiff_t>(*got - 1000)));
    EXPECT_EQ(stream.consumed(), file.size()) << padding;
  }
}

TEST(HostileInflate, reads_a_trailer_that_straddles_a_refill_of_the_input) {
  constexpr std::size_t refill = std::size_t{256} << 10;
  const Bytes tail = gzip_compressed(as_bytes("tail"), 6);
  for (std::size_t over = 0; over <= 24; ++over) {
    const Bytes file = concatenated(member_of_size(refill + over), tail);
    InflateStream stream(std::make_unique<MemoryStream>(file), DeflateWrapper::gzip);
    Bytes out(2 * refill);
    const Result<std::size_t> got = stream.read(out);
    ASSERT_TRUE(got.ok()) << over << ": " << got.error().text();
    EXPECT_EQ(as_text(ByteView(out).subspan(*got - 4, 4)), "tail");
  }
}

TEST(HostileInflate, counts_the_bytes_of_a_bare_stream_and_no_more) {
  const Bytes file = gzip_compressed(as_bytes(std::string(300, 'x')), 6);
  const Bytes bare(file.begin() + 10, file.end() - 8);
  for (const std::size_t piece : {1U, 7U, 1000U}) {
    const Bytes longer = concatenated(bare, Bytes(9, std::byte{0x55}));
    InflateStream stream(std::make_unique<MemoryStream>(longer), DeflateWrapper::none);
    Bytes out(piece);
    while (stream.read(out).value() == piece) {
    }
    EXPECT_EQ(stream.consumed(), bare.size()) << piece;
  }
}

TEST(HostileInflate, fails_at_every_cut) {
  const Bytes file = concatenated(gzip_compressed(random_bytes(50, 1), 6), gzip_compressed(Bytes(5000), 6));
  const std::size_t first = gzip_compressed(random_bytes(50, 1), 6).size();
  for (std::size_t length = 1; length < file.size(); ++length) {
    if (length == first) continue;  // a whole member is a whole file
    InflateStream stream(std::make_unique<MemoryStream>(ByteView(file).first(length)), DeflateWrapper::gzip);
    Bytes out(10'000);
    EXPECT_FALSE(stream.read(out).ok()) << length;
  }
}

TEST(InflateStream, refuses_reserved_flags_in_the_header_of_any_member) {
  const Bytes first = gzip_compressed(as_bytes("one"), 6);
  for (const std::size_t at : {std::size_t{3}, first.size() + 3}) {
    Bytes file = first;
    file.insert(file.end(), first.begin(), first.end());
    file[at] |= std::byte{0x20};
    InflateStream stream(std::make_unique<MemoryStream>(file), DeflateWrapper::gzip);
    Bytes out(100);
    const Result<std::size_t> got = stream.read(out);
    ASSERT_FALSE(got.ok());
    EXPECT_EQ(got.error().message(), "gzip header sets flags that are reserved");
  }
}

}  // namespace
}  // namespace fiducial
