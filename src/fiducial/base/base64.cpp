#include "fiducial/base/base64.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <string_view>

#if defined(__SSSE3__)
#include <tmmintrin.h>
#endif

namespace fiducial {

namespace {

constexpr std::string_view alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

// Two letters for every twelve bits: half the look-ups of one letter at a time.
constexpr std::array<std::array<char, 2>, 4096> letter_pairs() {
  std::array<std::array<char, 2>, 4096> out{};
  for (std::size_t i = 0; i < out.size(); ++i) out.at(i) = {alphabet[i >> 6U], alphabet[i & 0x3FU]};
  return out;
}
constexpr std::array<std::array<char, 2>, 4096> pairs = letter_pairs();

#if defined(__SSSE3__)
// Twelve bytes at a time, while sixteen can be read: W. Mula and D. Lemire, "Faster Base64 Encoding and
// Decoding Using AVX2 Instructions", ACM TWEB 12(3), 2018. Returns how many bytes it took.
std::size_t encode_by_twelve(ByteView bytes, char* to) {
  const __m128i spread = _mm_set_epi8(10, 11, 9, 10, 7, 8, 6, 7, 4, 5, 3, 4, 1, 2, 0, 1);
  const __m128i offsets =
      _mm_setr_epi8('a' - 26, '0' - 52, '0' - 52, '0' - 52, '0' - 52, '0' - 52, '0' - 52, '0' - 52, '0' - 52,
                    '0' - 52, '0' - 52, '+' - 62, '/' - 63, 'A', 0, 0);
  std::size_t i = 0;
  for (; i + 16 <= bytes.size(); i += 12, to += 16) {
    __m128i in;
    std::memcpy(&in, bytes.data() + i, sizeof in);
    in = _mm_shuffle_epi8(in, spread);
    const __m128i first =
        _mm_mulhi_epu16(_mm_and_si128(in, _mm_set1_epi32(0x0fc0fc00)), _mm_set1_epi32(0x04000040));
    const __m128i second =
        _mm_mullo_epi16(_mm_and_si128(in, _mm_set1_epi32(0x003f03f0)), _mm_set1_epi32(0x01000010));
    const __m128i sixes = _mm_or_si128(first, second);
    // 13 for capital letters, 0 for small ones, 1 to 10 for digits, 11 and 12 for the two signs.
    __m128i kind = _mm_subs_epu8(sixes, _mm_set1_epi8(51));
    const __m128i is_capital = _mm_cmpgt_epi8(_mm_set1_epi8(26), sixes);
    kind = _mm_or_si128(kind, _mm_and_si128(is_capital, _mm_set1_epi8(13)));
    const __m128i letters = _mm_add_epi8(_mm_shuffle_epi8(offsets, kind), sixes);
    std::memcpy(to, &letters, sizeof letters);
  }
  return i;
}
#else
std::size_t encode_by_twelve(ByteView, char*) { return 0; }
#endif

// Writes base64_length(bytes.size()) letters.
void encode(ByteView bytes, char* to) {
  const auto at = [bytes](std::size_t index) { return std::to_integer<std::uint32_t>(bytes[index]); };
  std::size_t i = encode_by_twelve(bytes, to);
  to += i / 3 * 4;
  for (; i + 3 <= bytes.size(); i += 3, to += 4) {
    const std::uint32_t group = at(i) << 16U | at(i + 1) << 8U | at(i + 2);
    std::memcpy(to, pairs[group >> 12U].data(), 2);
    std::memcpy(to + 2, pairs[group & 0xFFFU].data(), 2);
  }
  const std::size_t rest = bytes.size() - i;
  if (rest == 0) return;
  const std::uint32_t group = at(i) << 16U | (rest == 2 ? at(i + 1) << 8U : 0U);
  std::memcpy(to, pairs[group >> 12U].data(), 2);
  to[2] = rest == 2 ? alphabet[group >> 6U & 0x3FU] : '=';
  to[3] = '=';
}

}  // namespace

void append_base64(std::string& out, ByteView bytes) {
  constexpr std::size_t piece =
      12'288;  // a multiple of three; its letters stay in the processor's first cache
  std::array<char, base64_length(piece)> letters;  // not initialised: it is written before it is read
  for (std::size_t i = 0; i < bytes.size(); i += piece) {
    const ByteView part = bytes.subspan(i, std::min(piece, bytes.size() - i));
    encode(part, letters.data());
    out.append(letters.data(), base64_length(part.size()));
  }
}

std::string base64(ByteView bytes) {
  std::string out;
  out.reserve(base64_length(bytes.size()));
  append_base64(out, bytes);
  return out;
}

}  // namespace fiducial
