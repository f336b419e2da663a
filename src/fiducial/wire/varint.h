#pragma once

#include <cstdint>
#include <optional>

#include "fiducial/base/bytes.h"

namespace fiducial::wire {

// Seven bits a byte, the lowest first; the high bit says that more follow.
inline void append_varint(Bytes& out, std::uint64_t value) {
  while (value >= 0x80) {
    out.push_back(static_cast<std::byte>(value | 0x80U));
    value >>= 7U;
  }
  out.push_back(static_cast<std::byte>(value));
}

// Takes a number of at most 32 bits off the front; nothing where it is cut short, longer, or written in more
// bytes than it needs.
inline std::optional<std::uint32_t> take_varint(ByteView& bytes) {
  std::uint64_t value = 0;
  for (std::size_t i = 0; i < bytes.size() && i < 5; ++i) {
    const auto byte = static_cast<std::uint64_t>(bytes[i]);
    value |= (byte & 0x7FU) << (7 * i);
    if ((byte & 0x80U) != 0) continue;
    if (value > UINT32_MAX || (i > 0 && byte == 0)) return std::nullopt;
    bytes = bytes.subspan(i + 1);
    return static_cast<std::uint32_t>(value);
  }
  return std::nullopt;
}

}  // namespace fiducial::wire
