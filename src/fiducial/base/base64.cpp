#include "fiducial/base/base64.h"

#include <array>
#include <cstdint>
#include <cstring>
#include <string_view>

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

}  // namespace

std::string base64(ByteView bytes) {
  std::string out((bytes.size() + 2) / 3 * 4, '=');
  char* to = out.data();
  std::size_t i = 0;
  const auto at = [bytes](std::size_t index) { return std::to_integer<std::uint32_t>(bytes[index]); };
  for (; i + 3 <= bytes.size(); i += 3, to += 4) {
    const std::uint32_t group = at(i) << 16U | at(i + 1) << 8U | at(i + 2);
    std::memcpy(to, pairs[group >> 12U].data(), 2);
    std::memcpy(to + 2, pairs[group & 0xFFFU].data(), 2);
  }
  const std::size_t rest = bytes.size() - i;
  if (rest == 0) return out;
  const std::uint32_t group = at(i) << 16U | (rest == 2 ? at(i + 1) << 8U : 0U);
  std::memcpy(to, pairs[group >> 12U].data(), 2);
  if (rest == 2) to[2] = alphabet[group >> 6U & 0x3FU];
  return out;
}

}  // namespace fiducial
