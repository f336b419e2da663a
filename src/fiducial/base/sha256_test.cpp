#include "fiducial/base/sha256.h"

#include <bit>
#include <cmath>
#include <string>

#include <gtest/gtest.h>

#include "fiducial/base/random.h"

namespace fiducial {
namespace {

bool is_prime(int n) {
  for (int d = 2; d * d <= n; ++d) {
    if (n % d == 0) return false;
  }
  return true;
}

// The first 32 fractional bits of the cube roots of the first 64 primes, as FIPS 180-4 defines them.
std::vector<std::uint32_t> constants_by_definition() {
  std::vector<std::uint32_t> out;
  for (int n = 2; out.size() < 64; ++n) {
    if (!is_prime(n)) continue;
    const long double root = std::cbrt(static_cast<long double>(n));
    out.push_back(static_cast<std::uint32_t>((root - std::floor(root)) * 4294967296.0L));
  }
  return out;
}

// The standard's own pseudocode on one padded message, byte by byte.
std::string obvious_sha256(std::string message) {
  static const std::vector<std::uint32_t> k = constants_by_definition();
  const std::uint64_t bits = message.size() * 8;
  message += '\x80';
  while (message.size() % 64 != 56) message += '\0';
  for (int shift = 56; shift >= 0; shift -= 8) message += static_cast<char>((bits >> shift) & 0xFF);
  std::uint32_t h[8] = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
                        0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};
  for (std::size_t block = 0; block < message.size(); block += 64) {
    std::uint32_t w[64] = {};
    for (std::size_t i = 0; i < 64; ++i)
      w[i / 4] = w[i / 4] << 8 | static_cast<unsigned char>(message[block + i]);
    for (std::size_t i = 16; i < 64; ++i) {
      w[i] = w[i - 16] + (std::rotr(w[i - 15], 7) ^ std::rotr(w[i - 15], 18) ^ w[i - 15] >> 3) + w[i - 7] +
             (std::rotr(w[i - 2], 17) ^ std::rotr(w[i - 2], 19) ^ w[i - 2] >> 10);
    }
    auto [a, b, c, d, e, f, g, last] = std::to_array(h);
    for (std::size_t i = 0; i < 64; ++i) {
      const std::uint32_t t1 =
          last + (std::rotr(e, 6) ^ std::rotr(e, 11) ^ std::rotr(e, 25)) + ((e & f) ^ (~e & g)) + k[i] + w[i];
      const std::uint32_t t2 =
          (std::rotr(a, 2) ^ std::rotr(a, 13) ^ std::rotr(a, 22)) + ((a & b) ^ (a & c) ^ (b & c));
      last = g, g = f, f = e, e = d + t1, d = c, c = b, b = a, a = t1 + t2;
    }
    const std::uint32_t sums[8] = {a, b, c, d, e, f, g, last};
    for (std::size_t i = 0; i < 8; ++i) h[i] += sums[i];
  }
  Digest out;
  for (std::size_t i = 0; i < 32; ++i)
    out.bytes[i] = static_cast<std::uint8_t>(h[i / 4] >> (24 - 8 * (i % 4)));
  return out.hex();
}

TEST(Sha256, matches_the_vectors_of_the_standard) {
  EXPECT_EQ(sha256({}).hex(), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  EXPECT_EQ(sha256(as_bytes("abc")).hex(),
            "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  EXPECT_EQ(sha256(as_bytes("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq")).hex(),
            "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
  EXPECT_EQ(sha256(as_bytes(std::string(1'000'000, 'a'))).hex(),
            "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
}

TEST(Sha256, matches_the_definition_for_every_length_up_to_three_blocks) {
  Random random(1);
  std::string message;
  for (int length = 0; length <= 200; ++length) {
    ASSERT_EQ(sha256(as_bytes(message)).hex(), obvious_sha256(message)) << length << " bytes";
    message += static_cast<char>(random.below(256));
  }
}

TEST(Sha256, does_not_depend_on_how_the_message_is_cut) {
  Random random(2);
  std::string message(1000, '\0');
  for (char& c : message) c = static_cast<char>(random.below(256));
  for (int trial = 0; trial < 50; ++trial) {
    Sha256 hash;
    std::string_view rest = message;
    while (!rest.empty()) {
      const std::string_view piece = rest.substr(0, random.below(150));
      hash.update(as_bytes(piece));
      rest.remove_prefix(piece.size());
    }
    ASSERT_EQ(hash.digest().hex(), obvious_sha256(message));
  }
}

}  // namespace
}  // namespace fiducial
