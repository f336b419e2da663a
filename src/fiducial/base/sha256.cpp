#include "fiducial/base/sha256.h"

#include <algorithm>
#include <bit>
#include <cstring>

#if defined(__x86_64__)
#include <cpuid.h>
#include <immintrin.h>
#endif

namespace fiducial {

namespace {

using State = std::array<std::uint32_t, 8>;

alignas(16) constexpr std::uint32_t round_constants[64] = {
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
    0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
    0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
    0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2};

void compress_portable(State& state, const std::byte* data, std::size_t blocks) {
  for (; blocks > 0; --blocks, data += 64) {
    std::array<std::uint32_t, 64> w{};
    for (std::size_t i = 0; i < 16; ++i) w[i] = byte_swapped(load<std::uint32_t>({data, 64}, 4 * i));
    for (std::size_t i = 16; i < 64; ++i) {
      const std::uint32_t s0 = std::rotr(w[i - 15], 7) ^ std::rotr(w[i - 15], 18) ^ (w[i - 15] >> 3);
      const std::uint32_t s1 = std::rotr(w[i - 2], 17) ^ std::rotr(w[i - 2], 19) ^ (w[i - 2] >> 10);
      w[i] = w[i - 16] + s0 + w[i - 7] + s1;
    }
    State v = state;
    for (std::size_t i = 0; i < 64; ++i) {
      const std::uint32_t s1 = std::rotr(v[4], 6) ^ std::rotr(v[4], 11) ^ std::rotr(v[4], 25);
      const std::uint32_t choice = (v[4] & v[5]) ^ (~v[4] & v[6]);
      const std::uint32_t t1 = v[7] + s1 + choice + round_constants[i] + w[i];
      const std::uint32_t s0 = std::rotr(v[0], 2) ^ std::rotr(v[0], 13) ^ std::rotr(v[0], 22);
      const std::uint32_t majority = (v[0] & v[1]) ^ (v[0] & v[2]) ^ (v[1] & v[2]);
      v = {t1 + s0 + majority, v[0], v[1], v[2], v[3] + t1, v[4], v[5], v[6]};
    }
    for (std::size_t i = 0; i < 8; ++i) state[i] += v[i];
  }
}

#if defined(__x86_64__)
bool has_sha_instructions() {
  unsigned a = 0;
  unsigned b = 0;
  unsigned c = 0;
  unsigned d = 0;
  return __get_cpuid_count(7, 0, &a, &b, &c, &d) != 0 && (b & (1U << 29)) != 0;
}

__attribute__((target("sha,sse4.1"))) void compress_sha_ni(State& state, const std::byte* data,
                                                           std::size_t blocks) {
  const __m128i swap = _mm_set_epi64x(0x0c0d0e0f08090a0b, 0x0405060700010203);
  const __m128i dcba = _mm_loadu_si128(reinterpret_cast<const __m128i*>(state.data()));
  const __m128i hgfe = _mm_loadu_si128(reinterpret_cast<const __m128i*>(state.data() + 4));
  const __m128i cdab = _mm_shuffle_epi32(dcba, 0xB1);
  const __m128i efgh = _mm_shuffle_epi32(hgfe, 0x1B);
  __m128i abef = _mm_alignr_epi8(cdab, efgh, 8);
  __m128i cdgh = _mm_blend_epi16(efgh, cdab, 0xF0);
  for (; blocks > 0; --blocks, data += 64) {
    const __m128i abef_before = abef;
    const __m128i cdgh_before = cdgh;
    __m128i w[4];
    for (int i = 0; i < 4; ++i) {
      w[i] = _mm_shuffle_epi8(_mm_loadu_si128(reinterpret_cast<const __m128i*>(data) + i), swap);
    }
    for (int group = 0; group < 16; ++group) {
      const __m128i k = _mm_load_si128(reinterpret_cast<const __m128i*>(round_constants) + group);
      const __m128i sum = _mm_add_epi32(w[0], k);
      cdgh = _mm_sha256rnds2_epu32(cdgh, abef, sum);
      abef = _mm_sha256rnds2_epu32(abef, cdgh, _mm_shuffle_epi32(sum, 0x0E));
      const __m128i seventh = _mm_alignr_epi8(w[3], w[2], 4);
      const __m128i next =
          _mm_sha256msg2_epu32(_mm_add_epi32(_mm_sha256msg1_epu32(w[0], w[1]), seventh), w[3]);
      w[0] = w[1];
      w[1] = w[2];
      w[2] = w[3];
      w[3] = next;
    }
    abef = _mm_add_epi32(abef, abef_before);
    cdgh = _mm_add_epi32(cdgh, cdgh_before);
  }
  const __m128i feba = _mm_shuffle_epi32(abef, 0x1B);
  const __m128i dchg = _mm_shuffle_epi32(cdgh, 0xB1);
  _mm_storeu_si128(reinterpret_cast<__m128i*>(state.data()), _mm_blend_epi16(feba, dchg, 0xF0));
  _mm_storeu_si128(reinterpret_cast<__m128i*>(state.data() + 4), _mm_alignr_epi8(dchg, feba, 8));
}
#endif

void compress(State& state, const std::byte* data, std::size_t blocks) {
#if defined(__x86_64__)
  static const bool fast = has_sha_instructions();
  if (fast) {
    compress_sha_ni(state, data, blocks);
    return;
  }
#endif
  compress_portable(state, data, blocks);
}

}  // namespace

std::string Digest::hex() const {
  constexpr char digits[] = "0123456789abcdef";
  std::string out;
  out.reserve(64);
  for (const std::uint8_t value : bytes) {
    out += digits[value >> 4];
    out += digits[value & 15];
  }
  return out;
}

std::optional<Digest> parse_digest(std::string_view hex) {
  constexpr std::string_view digits = "0123456789abcdef";
  Digest out;
  if (hex.size() != 2 * out.bytes.size()) return std::nullopt;
  for (std::size_t i = 0; i < hex.size(); ++i) {
    const std::size_t digit = digits.find(hex[i]);
    if (digit == std::string_view::npos) return std::nullopt;
    out.bytes[i / 2] = static_cast<std::uint8_t>(std::size_t{out.bytes[i / 2]} * 16 + digit);
  }
  return out;
}

void Sha256::update(ByteView bytes) {
  total_ += bytes.size();
  if (held_ > 0) {
    const std::size_t taken = std::min(bytes.size(), block_.size() - held_);
    std::copy_n(bytes.begin(), taken, block_.begin() + static_cast<std::ptrdiff_t>(held_));
    held_ += taken;
    bytes = bytes.subspan(taken);
    if (held_ < block_.size()) return;
    compress(state_, block_.data(), 1);
    held_ = 0;
  }
  const std::size_t blocks = bytes.size() / 64;
  compress(state_, bytes.data(), blocks);
  bytes = bytes.subspan(blocks * 64);
  std::copy(bytes.begin(), bytes.end(), block_.begin());
  held_ = bytes.size();
}

Digest Sha256::digest() {
  const std::uint64_t bits = byte_swapped(total_ * 8);
  const std::byte end_mark{0x80};
  update({&end_mark, 1});
  const std::array<std::byte, 64> zeros{};
  update(ByteView(zeros).first((120 - held_) % 64));
  std::array<std::byte, 8> length{};
  std::memcpy(length.data(), &bits, 8);
  update(length);
  Digest out;
  for (std::size_t i = 0; i < 8; ++i) {
    const std::uint32_t word = byte_swapped(state_[i]);
    std::memcpy(out.bytes.data() + 4 * i, &word, 4);
  }
  return out;
}

Digest sha256(ByteView bytes) {
  Sha256 hash;
  hash.update(bytes);
  return hash.digest();
}

}  // namespace fiducial
