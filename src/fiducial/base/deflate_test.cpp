#include "fiducial/base/deflate.h"

#include <gtest/gtest.h>

#include "fiducial/base/byte_stream.h"
#include "fiducial/base/inflate.h"
#include "fiducial/base/random.h"

namespace fiducial {
namespace {

Bytes inflated(const Bytes& stream) {
  const Bytes deflated(stream.begin() + 2, stream.end() - 4);
  InflateStream inflate(std::make_unique<MemoryStream>(deflated), DeflateWrapper::none);
  Bytes out;
  Bytes part(std::size_t{1} << 16);
  while (true) {
    const std::size_t read = *inflate.read(part);
    out.insert(out.end(), part.begin(), part.begin() + static_cast<std::ptrdiff_t>(read));
    if (read == 0) return out;
  }
}

TEST(Deflate, gives_streams_that_inflate_to_what_they_were_made_of) {
  Random random(11);
  for (const std::size_t size : std::initializer_list<std::size_t>{0, 1, 2, 3, 4, 300, 70'000, 1'000'000}) {
    for (const unsigned alphabet : {1U, 2U, 30U, 256U}) {
      Bytes bytes(size);
      for (std::byte& byte : bytes) byte = static_cast<std::byte>(random.below(alphabet));
      EXPECT_EQ(inflated(zlib_compressed(bytes)), bytes) << size << " of " << alphabet;
    }
  }
}

TEST(Deflate, makes_what_repeats_small) { EXPECT_LT(zlib_compressed(Bytes(1'000'000)).size(), 2'000U); }

TEST(Deflate, holds_code_lengths_within_the_limit_for_skewed_counts) {
  Bytes bytes;  // counts like Fibonacci's make the deepest tree
  std::size_t before = 1;
  std::size_t count = 1;
  for (unsigned symbol = 0; symbol < 26; ++symbol) {
    for (std::size_t i = 0; i < count; ++i)
      bytes.push_back(static_cast<std::byte>((symbol * 37U + i * i) & 0xFFU));
    bytes.insert(bytes.end(), count, static_cast<std::byte>(symbol));
    const std::size_t next = before + count;
    before = count;
    count = next;
  }
  EXPECT_EQ(inflated(zlib_compressed(bytes)), bytes);
}

}  // namespace
}  // namespace fiducial
