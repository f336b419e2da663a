#include "fiducial/chat/crc32c.h"

#include <array>
#include <cstring>

namespace fiducial {

namespace {

constexpr std::array<std::uint32_t, 256> crc_table() {
  std::array<std::uint32_t, 256> out{};
  for (std::uint32_t i = 0; i < 256; ++i) {
    std::uint32_t value = i;
    for (int bit = 0; bit < 8; ++bit) value = (value >> 1U) ^ ((value & 1U) != 0 ? 0x82F63B78U : 0U);
    out.at(i) = value;
  }
  return out;
}

std::uint32_t crc_by_table(std::uint32_t crc, std::string_view bytes) {
  static constexpr std::array<std::uint32_t, 256> table = crc_table();
  for (const char byte : bytes) crc = (crc >> 8U) ^ table[(crc ^ static_cast<unsigned char>(byte)) & 0xFFU];
  return crc;
}

#if defined(__x86_64__)
__attribute__((target("sse4.2"))) std::uint32_t crc_by_instruction(std::uint32_t crc,
                                                                   std::string_view bytes) {
  std::uint64_t wide = crc;
  while (bytes.size() >= sizeof(std::uint64_t)) {
    std::uint64_t word = 0;
    std::memcpy(&word, bytes.data(), sizeof word);
    wide = __builtin_ia32_crc32di(wide, word);
    bytes.remove_prefix(sizeof word);
  }
  return crc_by_table(static_cast<std::uint32_t>(wide), bytes);
}
#endif

}  // namespace

std::uint32_t crc32c(std::string_view bytes) {
  constexpr std::uint32_t all = 0xFFFFFFFFU;
#if defined(__x86_64__)
  if (__builtin_cpu_supports("sse4.2")) return crc_by_instruction(all, bytes) ^ all;
#endif
  return crc_by_table(all, bytes) ^ all;
}

}  // namespace fiducial
